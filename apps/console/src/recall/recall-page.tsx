import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type SubmitEvent } from 'react';
import { answered, api, type Wire } from '../api/loci.js';
import { speakerOf } from '../episodes/episodes.js';
import { keyOf, named, type Project, useProject } from '../projects/project.js';
import { Strength } from '../search/score-bar.js';
import { AsCode } from '../start/as-code.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { Said } from '../ui/said.js';
import { useTyped } from '../ui/use-typed.js';

const route = getRouteApi('/p/$org/$project/recall');

const bodyOf = (project: Project, query: string, user: string | undefined): Wire['RecallSpec'] => ({
  ...named(project),
  query,
  ...(user !== undefined && { user }),
});

const recallQuery = (project: Project, query: string, user: string | undefined) =>
  queryOptions({
    queryKey: keyOf(project, 'recall', query, user),
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/recall', { body: bodyOf(project, query, user), signal })),
    enabled: query !== '',
  });

/** What is remembered on a subject, messages and features in one list, as an agent is answered. */
export function RecallPage() {
  const project = useProject();
  const { q = '', user } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, type] = useTyped({ query: q, of: user ?? '' });
  const { data, error, refetch } = useQuery(recallQuery(project, q, user));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { query, of } = typed;
    void navigate({ search: { q: query, ...(of !== '' && { user: of }) } });
  };
  return (
    <Page
      title="Recall"
      lead="Messages and features in one list, best first, by one score: what an agent gets when it asks what is remembered."
      actions={q !== '' && <AsCode path="/api/v2/recall" bodies={[['Recall', bodyOf(project, q, user)]]} />}
    >
      <Panel className="p-4">
        <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
          <Field label="Query" className="min-w-52 flex-1">
            {(control) => (
              <Input
                {...control}
                required
                placeholder="Where does Alice like to sit?"
                value={typed.query}
                onChange={(event) => type({ query: event.target.value })}
              />
            )}
          </Field>
          <Field label="User" className="w-40">
            {(control) => (
              <Input
                {...control}
                placeholder="anybody"
                value={typed.of}
                onChange={(event) => type({ of: event.target.value })}
              />
            )}
          </Field>
          <Button type="submit" look="primary">
            <Search aria-hidden /> Recall
          </Button>
        </form>
      </Panel>
      {q !== '' && (
        <Panel title="Memories">
          {error ? (
            <Failure error={error} onRetry={() => void refetch()} />
          ) : !data ? (
            <Loading />
          ) : data.memories.length === 0 ? (
            <Empty title="Nothing is remembered" />
          ) : (
            <Memories project={project} memories={data.memories} />
          )}
        </Panel>
      )}
    </Page>
  );
}

interface MemoriesProps {
  readonly project: Project;
  readonly memories: readonly Wire['RecalledMemory'][];
}

const Memories = ({ project, memories }: MemoriesProps) => (
  <ol className="divide-y divide-line">
    {memories.map(({ id, kind, text, score, recent, episode, feature }) => (
      <li key={id} className="px-4 py-3">
        <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
          <Badge tone={kind === 'feature' ? 'accent' : 'plain'}>{kind}</Badge>
          {feature && (
            <span className="font-medium text-soft">
              <Said text={`${feature.tag} › ${feature.feature_name}`} />
            </span>
          )}
          {episode && <span className="font-medium text-soft">{speakerOf(episode)}</span>}
          {recent && <span>among the newest</span>}
          {kind === 'feature' ? (
            <Link to="/p/$org/$project/features" params={project} search={{ id }} className={linkStyle()}>
              What supports it
            </Link>
          ) : (
            <Link
              to="/p/$org/$project/episodes"
              params={project}
              search={{ uid: id, ...(episode && { at: episode.created_at }) }}
              className={linkStyle()}
            >
              Where it was said
            </Link>
          )}
          <span className="ml-auto text-sm font-semibold text-ink tabular-nums">{score.toFixed(3)}</span>
        </p>
        <Strength score={score} />
        <p className="mt-1 line-clamp-4 text-sm whitespace-pre-wrap">
          <Said text={text} />
        </p>
      </li>
    ))}
  </ol>
);
