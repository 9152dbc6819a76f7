import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { type Wire } from '../api/loci.js';
import { without } from '../api/search-params.js';
import { SetLabel } from '../features/set-label.js';
import { isNone } from '../projects/counted.js';
import { countQuery, useProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { Page, Panel, Stat } from '../ui/page.js';
import { PartOf } from '../ui/part-of.js';
import { Empty, Listed } from '../ui/states.js';
import { When } from '../ui/when.js';
import { DeadLetters } from './dead-letters.js';
import { backlogOf, callsAddress, callsFrom, jobsQuery } from './ingestion.js';
import { ModelCallDetails } from './model-call-details.js';
import { ModelCalls } from './model-calls.js';
import { TryPrompt } from './try-prompt.js';
import { Usage } from './usage.js';
import { Said } from '../ui/said.js';

const route = getRouteApi('/p/$org/$project/ingestion');

type Job = Wire['IngestionJob'];

const COUNT_MS = 5000;

const TONES = { idle: 'plain', due: 'accent', running: 'accent', retrying: 'warn', blocked: 'bad' } as const;

const COLUMNS: readonly Column<Job>[] = [
  {
    name: 'Set',
    className: 'min-w-64',
    by: ({ set_id }) => set_id,
    cell: ({ set_id, is_org_level }) => (
      <>
        <SetLabel id={set_id} />
        {is_org_level && <span className="block text-xs text-muted">of the organization</span>}
      </>
    ),
  },
  {
    name: 'State',
    by: ({ state }) => state,
    cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>,
  },
  {
    name: 'Waiting',
    by: ({ waiting }) => waiting,
    cell: ({ waiting }) => waiting,
    className: 'tabular-nums',
  },
  {
    name: 'Oldest',
    by: ({ oldest_at }) => oldest_at ?? '9999',
    cell: ({ oldest_at }) => (oldest_at === null ? '—' : <When at={oldest_at} />),
  },
  { name: 'Why', cell: (job) => <Why job={job} /> },
];

/** How far learning is, what it costs and what it has given up on. */
export function IngestionPage() {
  const project = useProject();
  const jobs = useQuery(jobsQuery(project));
  const { rows: sets = [], total = 0 } = jobs.data ?? {};
  const count = useQuery({ ...countQuery(project), refetchInterval: COUNT_MS });
  const backlog = backlogOf(jobs.data?.rows, count.data);
  const partly = total > sets.length ? 'of the sets below' : undefined;
  const { read, write } = useRights();
  const { call, try: trying, ...calls } = route.useSearch();
  const navigate = route.useNavigate();
  const mayTry = read && write;
  return (
    <Page
      title="Ingestion"
      lead="How messages become features: what waits, what runs, what models were asked, what it costs."
      actions={
        mayTry && (
          <Button onClick={() => void navigate({ search: (now) => ({ ...now, try: 'prompt' }) })}>
            <FlaskConical aria-hidden /> Try a prompt
          </Button>
        )
      }
    >
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat label="Messages waiting" value={backlog?.waiting.toLocaleString('en') ?? '…'} note={partly} />
        <Stat
          label="Oldest of them"
          value={backlog ? backlog.oldestAt ? <When at={backlog.oldestAt} /> : '—' : '…'}
        />
        <Stat
          label="Sets that run"
          value={backlog?.running ?? '…'}
          note={backlog && `${backlog.blocked} blocked or retrying`}
        />
        <Stat label="Dead letters" value={backlog?.deadLetters ?? '…'} note={partly} />
      </div>
      <Panel title="Sets" note="Live">
        <Listed of={{ ...jobs, data: jobs.data?.rows }} empty={<NoSets isWithout={isNone(count.data)} />}>
          {(rows) => (
            <DataTable
              label="State of each set"
              rows={rows}
              idOf={({ set_id }) => set_id}
              columns={COLUMNS}
            />
          )}
        </Listed>
        <PartOf shown={sets.length} total={total} what="sets" />
      </Panel>
      <ModelCalls
        project={project}
        sets={sets.map(({ set_id }) => set_id)}
        wanted={callsFrom(calls)}
        onWant={(wanted) => void navigate({ search: (now) => ({ ...now, ...callsAddress(wanted) }) })}
        onOpen={(id) => void navigate({ search: (now) => ({ ...now, call: id }) })}
      />
      <DeadLetters project={project} count={backlog?.deadLetters} />
      <Usage project={project} />
      {mayTry && trying !== undefined && (
        <TryPrompt
          project={project}
          onClose={() => void navigate({ search: (now) => without(now, 'try') })}
        />
      )}
      {call !== undefined && (
        <ModelCallDetails
          project={project}
          id={call}
          onClose={() => void navigate({ search: (now) => without(now, 'call') })}
        />
      )}
    </Page>
  );
}

/** Workers name a set when they have read its first message: until then nothing is known of it. */
function NoSets({ isWithout }: { readonly isWithout: boolean }) {
  if (isWithout) return <Empty title="No message to learn from yet" />;
  return (
    <Empty title="Not known yet">
      <p>No worker has told of this project: they are starting, or learning is off.</p>
    </Empty>
  );
}

function Why({ job: { reason, next_attempt_at, failing_categories } }: { readonly job: Job }) {
  return (
    <div className="grid min-w-40 gap-1 text-xs">
      {reason !== null && (
        <p>
          <Said text={reason} />
        </p>
      )}
      {next_attempt_at !== null && (
        <p className="text-muted">
          next <When at={next_attempt_at} />
        </p>
      )}
      {failing_categories.map(({ category, failures, reason: why }) => (
        <p key={category} className="text-bad">
          <Said text={`${category}: ${why}`} /> ({failures} times)
        </p>
      ))}
    </div>
  );
}
