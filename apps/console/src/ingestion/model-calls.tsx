import { useQuery } from '@tanstack/react-query';
import { type Wire } from '../api/loci.js';
import { SetLabel } from '../features/set-label.js';
import { useSetNames } from '../features/set-name.js';
import { type Project } from '../projects/project.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable, NAME_COLUMN } from '../ui/data-table.js';
import { Select } from '../ui/field.js';
import { linkStyle } from '../ui/link-style.js';
import { Panel } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { Said } from '../ui/said.js';
import { When } from '../ui/when.js';
import { CALL_OUTCOMES, CALLS_PER_PAGE, callsQuery, outcomeIn, type WantedCalls } from './ingestion.js';

type Call = Wire['ModelCall'];

const OUTCOMES = [['', 'any outcome'] as const, ...CALL_OUTCOMES];

/** How long something took, in milliseconds below one second. */
export const took = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

export const tokens = ({
  input_tokens,
  output_tokens,
}: Pick<Call, 'input_tokens' | 'output_tokens'>): string =>
  `${input_tokens.toLocaleString('en')} + ${output_tokens.toLocaleString('en')}`;

const columns = (onOpen: (id: string) => void): readonly Column<Call>[] => [
  {
    name: 'When',
    by: ({ at }) => at,
    cell: ({ id, at }) => (
      <button
        type="button"
        onClick={() => onOpen(id)}
        className={linkStyle({ look: 'entry', className: 'min-h-[24px] whitespace-nowrap' })}
      >
        <When at={at} />
      </button>
    ),
  },
  {
    name: 'For',
    className: 'min-w-48',
    by: ({ set_id }) => set_id,
    cell: ({ set_id, categories, kind }) => (
      <>
        <Said text={categories.join(', ')} />
        {kind === 'consolidation' && <span className="text-muted"> merged</span>}
        <span className="block text-xs text-muted">
          <SetLabel id={set_id} />
        </span>
      </>
    ),
  },
  {
    name: 'Outcome',
    by: ({ outcome }) => outcome,
    cell: ({ outcome, code }) => (
      <Badge tone={outcome === 'failed' ? 'bad' : 'good'}>{code ?? outcome}</Badge>
    ),
  },
  { name: 'Model', className: NAME_COLUMN, by: ({ model }) => model, cell: ({ model }) => model },
  {
    name: 'Messages',
    by: ({ message_count }) => message_count,
    cell: ({ message_count }) => message_count,
    className: 'tabular-nums',
  },
  {
    name: 'Features',
    by: ({ feature_count }) => feature_count,
    cell: ({ feature_count }) => feature_count,
    className: 'tabular-nums',
  },
  {
    name: 'Tokens',
    by: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
    cell: tokens,
    className: 'whitespace-nowrap tabular-nums',
  },
  {
    name: 'Cost',
    by: ({ cost }) => cost ?? 0,
    cell: ({ cost }) => cost?.toFixed(4) ?? '—',
    className: 'tabular-nums',
  },
  {
    name: 'Took',
    by: ({ duration_ms }) => duration_ms,
    cell: ({ duration_ms }) => took(duration_ms),
    className: 'whitespace-nowrap tabular-nums',
  },
];

interface ModelCallsProps {
  readonly project: Project;
  /** Ids of sets to choose from. */
  readonly sets: readonly string[];
  /** Which are listed. */
  readonly wanted: WantedCalls;
  readonly onWant: (wanted: WantedCalls) => void;
  readonly onOpen: (id: string) => void;
}

/** What leads to the calls. */
export const CALLS = 'calls';

/** What models were asked, newest first. */
export function ModelCalls({ project, sets, wanted, onWant, onOpen }: ModelCallsProps) {
  const { set, outcome, page } = wanted;
  const nameOf = useSetNames();
  const setPage = (to: number): void => onWant({ ...wanted, page: to });
  const { data, error, refetch } = useQuery(callsQuery(project, wanted));
  const listed = set === '' || sets.includes(set) ? sets : [...sets, set];
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / CALLS_PER_PAGE));
  return (
    <Panel
      id={CALLS}
      title="Calls of models"
      note={page === 0 ? 'Live' : undefined}
      actions={
        <>
          <Select
            aria-label="Calls for the set"
            className="w-36"
            value={set}
            options={[['', 'any set'], ...listed.map((id) => [id, nameOf(id) ?? id] as const)]}
            onPick={(picked) => onWant({ ...wanted, set: picked, page: 0 })}
          />
          <Select
            aria-label="Calls that ended so"
            className="w-auto"
            value={outcome}
            options={OUTCOMES}
            onPick={(picked) => onWant({ ...wanted, outcome: outcomeIn(picked), page: 0 })}
          />
        </>
      }
    >
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={2} />
      ) : data.calls.length === 0 ? (
        <Empty title="No call is kept">
          <p>The project may keep none, or all of them are older than it keeps them.</p>
        </Empty>
      ) : (
        <DataTable
          label="Calls of models, newest first"
          rows={data.calls}
          idOf={({ id }) => id}
          columns={columns(onOpen)}
        />
      )}
      {pages > 1 && (
        <p className="flex items-center gap-3 border-t border-line px-4 py-2 text-sm text-muted">
          <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          page {page + 1} of {pages}
          <Button size="small" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </p>
      )}
    </Panel>
  );
}
