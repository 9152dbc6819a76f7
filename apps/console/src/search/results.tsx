import { withHeaders } from '@loci/client';
import { useQueries } from '@tanstack/react-query';
import { api, type Wire } from '../api/loci.js';
import { keyOf, type Project } from '../projects/project.js';
import { cn } from '../ui/cn.js';
import { Panel } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { CutCandidates } from './cut-candidates.js';
import { FoundFeatures } from './found-features.js';
import { Hits } from './hits.js';
import { bodyOf, isOfField, type Settings } from './settings.js';
import { Said } from '../ui/said.js';
import { Verdict } from './verdict.js';

type Content = Wire['SearchResultContent'];

/** What each of the settings finds; nothing is asked without a query. */
export function useAnswers(project: Project, query: string, settings: readonly Settings[]) {
  return useQueries({
    queries: settings.map((one) => ({
      queryKey: keyOf(project, 'search', query, one),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const begunAt = performance.now();
        const body = bodyOf(project, query, one);
        const { data, headers } = await withHeaders(api.POST('/api/v2/memories/search', { body, signal }));
        return {
          content: data.content,
          tookMs: Math.round(performance.now() - begunAt),
          degraded: headers.get('x-degraded'),
        };
      },
      enabled: query !== '',
    })),
  });
}

export type Answers = ReturnType<typeof useAnswers>;

interface ResultsProps {
  readonly project: Project;
  readonly answers: Answers;
  readonly expected: string;
}

const NAMES = ['Hits', 'With the other settings'];

/** The answers beside each other; of a search whose settings were refused, the form says why. */
export function Results({ project, answers, expected }: ResultsProps) {
  return (
    <div className={cn('grid items-start gap-4', answers.length > 1 && 'lg:grid-cols-2')}>
      {answers.map(({ data, error, refetch }, index) =>
        isOfField(error) ? null : (
          <Panel
            key={index}
            title={NAMES[index] ?? 'Hits'}
            note={
              data && (
                <span data-varies>
                  {data.tookMs} ms{data.degraded === null ? '' : ` · ${degradedBy(data.degraded)}`}
                </span>
              )
            }
          >
            {error ? (
              <Failure error={error} onRetry={() => void refetch()} />
            ) : data ? (
              <Found
                project={project}
                content={data.content}
                others={answers.length > 1 ? answers[1 - index]?.data?.content : undefined}
                expected={expected}
              />
            ) : (
              <Loading />
            )}
          </Panel>
        ),
      )}
    </div>
  );
}

/** What could not take part in the answer; where it is only that vectors are on their way, how many. */
function degradedBy(slugs: string): string {
  const [, waiting] = /^index_behind;waiting=(\d+)$/.exec(slugs) ?? [];
  if (waiting === undefined) return `degraded: ${slugs}`;
  return `${Number(waiting).toLocaleString('en')} without a vector yet, found by their words`;
}

const hitsOf = ({ episodic_memory: found }: Content): readonly string[] =>
  found?.long_term_memory.episodes.map(({ uid }) => uid) ?? [];

const featuresOf = ({ semantic_memory: found = [] }: Content): readonly string[] =>
  found.map(({ metadata }) => metadata.id);

interface FoundProps {
  readonly project: Project;
  readonly content: Content;
  /** What the other settings find. */
  readonly others: Content | undefined;
  readonly expected: string;
}

function Found({ project, content, others, expected }: FoundProps) {
  const { episodic_memory: episodic, semantic_memory: features = [] } = content;
  const recent = episodic?.short_term_memory.episodes ?? [];
  const hits = episodic?.long_term_memory.episodes ?? [];
  const verdict = <Verdict project={project} expected={expected} content={content} />;
  if (hits.length + recent.length + features.length === 0) {
    return (
      <>
        {verdict}
        <Empty title="Nothing was found" />
      </>
    );
  }
  return (
    <>
      {verdict}
      <Hits project={project} hits={hits} others={others && hitsOf(others)} expected={expected} />
      {episodic && <CutCandidates project={project} cut={episodic.long_term_memory.cut ?? []} />}
      {recent.length > 0 && (
        <details className="border-t border-line px-4 py-2" open={hits.length === 0}>
          <summary className="text-sm font-medium">
            {recent.length === 1 ? 'The newest message' : `${recent.length} newest messages`} of short-term
            memory
          </summary>
          <ul className="mt-2 grid gap-1 text-sm">
            {recent.map(({ uid, content: said }) => (
              <li key={uid} className="line-clamp-2 text-soft">
                <Said text={said} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <FoundFeatures
        project={project}
        features={features}
        others={others && featuresOf(others)}
        expected={expected}
      />
    </>
  );
}
