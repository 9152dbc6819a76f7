import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { filterProblemOf } from '../api/loci.js';
import { without } from '../api/search-params.js';
import { FilterBar } from '../filter/filter-bar.js';
import { vocabularyOf } from '../filter/filter-language.js';
import { useProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { buttonStyle } from '../ui/button.js';
import { Page } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { Conversation } from './conversation.js';
import { EpisodeDetails } from './episode-details.js';
import { type Episode, positionQuery, totalQuery } from './episodes.js';
import { ForgetMatching } from './forget-matching.js';

const route = getRouteApi('/p/$org/$project/episodes');

/** What was said in a project, as a conversation. */
export function EpisodesPage() {
  const project = useProject();
  const { filter = '', uid, at, marked } = route.useSearch();
  const navigate = route.useNavigate();
  const { write } = useRights();
  const [seen, setSeen] = useState<readonly Episode[]>([]);
  const total = useQuery(totalQuery(project, filter));
  const position = useQuery({ ...positionQuery(project, at ?? ''), enabled: at !== undefined });
  const problem = filterProblemOf(total.error);
  const isRefused = problem !== undefined;
  const where = `${project.org} / ${project.project}`;
  return (
    <Page
      isFull
      title="Episodes"
      lead={isRefused ? where : `${where} · ${wordsFor(total.data, filter !== '')}`}
      actions={
        write &&
        filter !== '' &&
        !isRefused && (
          // also where nothing matches any more: it shows how far the deletion is
          <ForgetMatching
            project={project}
            filter={filter}
            label="Delete what matches"
            isEmpty={total.data === 0}
          />
        )
      }
    >
      <FilterBar
        filter={filter}
        vocabulary={vocabularyOf(seen)}
        problem={problem}
        onFilter={(text) => void navigate({ search: text === '' ? {} : { filter: text } })}
      />
      {total.error && !isRefused ? (
        <Failure error={total.error} onRetry={() => void total.refetch()} />
      ) : total.data === undefined || (at !== undefined && position.isPending) ? (
        !isRefused && <Loading rows={8} />
      ) : total.data === null ? (
        <TooMany />
      ) : total.data === 0 ? (
        <Nothing isFiltered={filter !== ''} mayWrite={write} />
      ) : (
        <Conversation
          key={JSON.stringify([project, filter, at])}
          project={project}
          filter={filter}
          total={total.data}
          position={at === undefined ? undefined : (position.data ?? undefined)}
          marked={marked ?? uid}
          onSeen={setSeen}
          onOpen={({ uid: opened }) => void navigate({ search: (now) => ({ ...now, uid: opened }) })}
        />
      )}
      {uid !== undefined && (
        <EpisodeDetails
          project={project}
          uid={uid}
          onClose={() => void navigate({ search: (now) => without(now, 'uid') })}
        />
      )}
    </Page>
  );
}

/** @param count undefined while it is not known; null: more than can be counted */
function wordsFor(count: number | null | undefined, isFiltered: boolean): string {
  if (count === null) return `more messages ${isFiltered ? 'match ' : ''}than can be counted`;
  const messages = `${count?.toLocaleString('en') ?? '…'} ${count === 1 ? 'message' : 'messages'}`;
  return isFiltered ? `${messages} ${count === 1 ? 'matches' : 'match'}` : messages;
}

const TooMany = () => (
  <Empty title="More messages than can be counted">
    <p>A filter by time shows those of a day or a month.</p>
  </Empty>
);

interface NothingProps {
  readonly isFiltered: boolean;
  readonly mayWrite: boolean;
}

const Nothing = ({ isFiltered, mayWrite }: NothingProps) =>
  isFiltered ? (
    <Empty title="No message matches the filter" />
  ) : (
    <Empty title="Nothing was said here yet">
      <p>Messages that are added to this project appear here at once.</p>
      {mayWrite && (
        <Link to="/start" className={buttonStyle({ look: 'primary' })}>
          Store a first message
        </Link>
      )}
    </Empty>
  );
