import { useQuery } from '@tanstack/react-query';
import { type Wire } from '../api/loci.js';
import { type Project } from '../projects/project.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { Panel } from '../ui/page.js';
import { Empty, Listed } from '../ui/states.js';
import { usageQuery } from './ingestion.js';
import { TokenChart } from './token-chart.js';

const count = (value: number): string => value.toLocaleString('en');

const COLUMNS: readonly Column<Wire['IngestionUsage']>[] = [
  { name: 'Day', by: ({ day }) => day, cell: ({ day }) => day, className: 'tabular-nums whitespace-nowrap' },
  { name: 'Model', by: ({ model }) => model, cell: ({ model }) => model },
  { name: 'Calls', by: ({ calls }) => calls, cell: ({ calls }) => count(calls), className: 'tabular-nums' },
  {
    name: 'Failed',
    by: ({ failures }) => failures,
    cell: ({ failures }) => count(failures),
    className: 'tabular-nums',
  },
  {
    name: 'Tokens in',
    by: ({ input_tokens }) => input_tokens,
    cell: ({ input_tokens }) => count(input_tokens),
    className: 'tabular-nums',
  },
  {
    name: 'Tokens out',
    by: ({ output_tokens }) => output_tokens,
    cell: ({ output_tokens }) => count(output_tokens),
    className: 'tabular-nums',
  },
  {
    name: 'Cost',
    by: ({ cost }) => cost ?? 0,
    cell: ({ cost }) => (cost === null ? '—' : cost.toFixed(4)),
    className: 'tabular-nums',
  },
];

/** What learning has cost. */
export function Usage({ project }: { readonly project: Project }) {
  const usage = useQuery(usageQuery(project));
  return (
    <Panel title="Usage of models" note="Two weeks">
      <Listed of={usage} empty={<Empty title="No model was called" />} loadingRows={2}>
        {(rows) => (
          <>
            <TokenChart usage={rows} />
            <DataTable
              label="Usage by day and model"
              rows={rows}
              idOf={({ day, model, is_org_level }) => `${day} ${model} ${String(is_org_level)}`}
              columns={COLUMNS}
            />
          </>
        )}
      </Listed>
    </Panel>
  );
}
