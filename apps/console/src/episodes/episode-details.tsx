import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { Author } from '../ui/author.js';
import { answered, api } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { buttonStyle } from '../ui/button.js';
import { CopyButton } from '../ui/code-block.js';
import { Confirm } from '../ui/confirm.js';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/page.js';
import { Empty, Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { type Episode, episodesQuery, sessionOf, speakerOf } from './episodes.js';
import { WhyNotFound } from './why-not-found.js';
import { Said } from '../ui/said.js';

interface EpisodeDetailsProps {
  readonly project: Project;
  readonly uid: string;
  readonly onClose: () => void;
}

/** Everything that is known of a message, beside the conversation. */
export function EpisodeDetails({ project, uid, onClose }: EpisodeDetailsProps) {
  const { data, error, refetch } = useQuery(episodesQuery(project, [uid]));
  const episode = data?.[0];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={episode ? `Message of ${speakerOf(episode)}` : 'Message'}
      position="side"
    >
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : episode ? (
        <Details key={uid} project={project} episode={episode} onDeleted={onClose} />
      ) : (
        <Empty title="There is no such message">
          <p>It was deleted, or it has expired.</p>
        </Empty>
      )}
    </Dialog>
  );
}

interface DetailsProps {
  readonly project: Project;
  readonly episode: Episode;
  readonly onDeleted: () => void;
}

function Details({ project, episode, onDeleted }: DetailsProps) {
  const { write } = useRights();
  const { producer } = useSession();
  // who speaks for one producer deletes what that one said
  const mayDelete = write && (producer === null || producer === episode.producer_id);
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/memories/episodic/delete', {
          body: { ...named(project), episodic_id: episode.uid },
        }),
      ),
    onSuccess: async () => {
      say('The message is deleted, with what was learned from it alone.');
      onDeleted();
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  const { metadata = {} } = episode;
  const session = sessionOf(episode);
  return (
    <div className="grid gap-5">
      <p className="rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap">
        <Said text={episode.content} />
      </p>
      <Facts entries={factsOf(episode)} />
      {Object.keys(metadata).length > 0 && (
        <section className="grid gap-2">
          <h3 className="text-sm font-semibold">Metadata</h3>
          <Facts entries={Object.entries(metadata).map(([key, value]) => [key, value])} />
        </section>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          to="/p/$org/$project/episodes"
          params={project}
          search={{ at: episode.created_at, marked: episode.uid }}
          className={buttonStyle()}
        >
          <MessagesSquare aria-hidden /> Show where it was said
        </Link>
        {session !== undefined && (
          <Link
            to="/p/$org/$project/sessions/$session"
            params={{ ...project, session }}
            className={buttonStyle()}
          >
            Its session
          </Link>
        )}
        <WhyNotFound project={project} id={episode.uid} />
        {mayDelete && (
          <Confirm
            action="Delete"
            consequence="The message is gone, with what was learned from it alone."
            isBusy={deleting.isPending}
            onConfirm={() => deleting.mutate()}
          />
        )}
      </div>
      <Refused error={deleting.error} />
    </div>
  );
}

const factsOf = (episode: Episode): (readonly [string, React.ReactNode])[] => [
  [
    'Id',
    <span key="uid" className="flex flex-wrap items-center gap-1 font-mono text-xs">
      {episode.uid} <CopyButton text={episode.uid} />
    </span>,
  ],
  ['Said', <When key="at" at={episode.created_at} isExact />],
  ['By', episode.producer_id],
  ['Role', episode.producer_role || '—'],
  ['To', episode.produced_for_id || '—'],
  ['Added by', episode.author ? <Author key="author" author={episode.author} /> : '—'],
  [
    'Expires',
    episode.expires_at === undefined ? 'never' : <When key="expires" at={episode.expires_at} isExact />,
  ],
];
