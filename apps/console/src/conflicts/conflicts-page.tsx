import { withHeaders } from '@loci/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { hasCode } from '../api/failures.js';
import { api, totalOf, type Wire } from '../api/loci.js';
import { useMayChange, withUser } from '../features/may-change.js';
import { Trust } from '../features/origin.js';
import { keyOf, named, type Project, useProject } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Pager } from '../ui/pager.js';
import { Empty, Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { Said } from '../ui/said.js';
import { visible } from '../ui/visible.js';
import { settled } from './settled.js';

type Conflict = Wire['Conflict'];

const PAGE_SIZE = 20;

/** Features that contradict each other, oldest first. */
const conflictsQuery = (project: Project, page: number) =>
  queryOptions({
    queryKey: keyOf(project, 'conflicts', page),
    queryFn: async ({ signal }) => {
      const body = { ...named(project), page_size: PAGE_SIZE, page_num: page };
      const { data, headers } = await withHeaders(
        api.POST('/api/v2/memories/semantic/conflict/list', { body, signal }),
      );
      return { conflicts: data.conflicts, total: totalOf(headers) };
    },
  });

/** Whether what was to be settled contradicts nothing any more. */
const isSettled = (error: unknown): boolean => hasCode(error, 'conflict_not_found', 'feature_not_found');

/** What is known and cannot hold at once, and which of it holds. */
export function ConflictsPage() {
  const project = useProject();
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useQuery(conflictsQuery(project, page));
  return (
    <Page
      title="Conflicts"
      lead="Features of one name that hold at once, where one value holds at a time. Settling keeps one, and ends the others; that can be undone."
    >
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.conflicts.length === 0 ? (
        <Empty title="Nothing contradicts anything" />
      ) : (
        data.conflicts.map((conflict) => (
          <ConflictPanel key={conflict.features[0]?.metadata.id} project={project} conflict={conflict} />
        ))
      )}
      <Pager page={page} pageSize={PAGE_SIZE} total={data?.total} onTurn={setPage} />
    </Page>
  );
}

function ConflictPanel({
  project,
  conflict: { features },
}: {
  readonly project: Project;
  readonly conflict: Conflict;
}) {
  const mayChange = useMayChange(project);
  const client = useQueryClient();
  const settling = useMutation({
    mutationFn: (id: string) =>
      withHeaders(
        api.POST('/api/v2/memories/semantic/conflict/settle', {
          body: { ...named(project), feature_id: id },
        }),
      ),
    onSuccess: async ({ headers }) => {
      say(settled(headers));
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
    onError: async (error) => {
      if (!isSettled(error)) return;
      say('This has been settled meanwhile. Nothing was changed, and the list is loaded again.');
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  const [first] = features;
  // settling one changes all
  const maySettle = features.every((feature) => mayChange(withUser(feature)));
  const title = [first?.category, first?.tag, first?.feature_name].join(' › ');
  return (
    <Panel title={title} note={first?.subject}>
      <ul className="divide-y divide-line">
        {features.map((feature) => (
          <li key={feature.metadata.id} className="flex flex-wrap items-start gap-3 px-4 py-3">
            <div className="min-w-0 flex-1 text-sm">
              <p>
                <Said text={feature.value} />
              </p>
              <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-muted">
                <Trust trust={feature.trust} />
                <Link
                  to="/p/$org/$project/features"
                  params={project}
                  search={{ id: feature.metadata.id }}
                  className={linkStyle()}
                >
                  What supports it
                </Link>
                {feature.valid_from !== undefined && (
                  <>
                    since <When at={feature.valid_from} isExact />
                  </>
                )}
              </p>
            </div>
            {maySettle && (
              <Button
                size="small"
                isBusy={settling.isPending}
                aria-label={`This holds: ${visible(feature.value)}`}
                onClick={() => settling.mutate(feature.metadata.id)}
              >
                <Check aria-hidden /> This holds
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Refused error={isSettled(settling.error) ? undefined : settling.error} />
    </Panel>
  );
}
