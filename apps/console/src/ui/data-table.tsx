import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.js';
import { cn } from './cn.js';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic, text: sortFn_text },
});

/** A column of a table. */
export interface Column<Row> {
  /** Tells it from the others: never empty. */
  readonly name: string;
  /** Only screen readers are told its name. */
  readonly isNameHidden?: boolean;
  /** What it sorts by; absent = it does not sort. */
  readonly by?: (row: Row) => string | number;
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
}

interface DataTableProps<Row extends object> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

/** Rows that are drawn at first, and with each click for more: a row may ask questions of its own. */
const STEP = 100;

const toColumn = <Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> => ({
  id: column.name,
  accessorFn: column.by ?? (() => ''),
  enableSorting: column.by !== undefined,
  header: column.name,
  cell: ({ row }) => column.cell(row.original),
});

/** Rows that are sorted by a click on the head of a column. */
export function DataTable<Row extends object>({ label, rows, idOf, columns }: DataTableProps<Row>) {
  const [shown, setShown] = useState(STEP);
  const table = useTable({ features, columns: columns.map(toColumn), data: rows, getRowId: idOf });
  const styles = new Map(columns.map(({ name, className }) => [name, className]));
  const hidden = new Set(columns.filter(({ isNameHidden }) => isNameHidden).map(({ name }) => name));
  const rowsOfTable = table.getRowModel().rows;
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full border-collapse text-left text-sm">
        <thead className="text-xs text-muted">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b border-line">
              {group.headers.map((header) => (
                <Head
                  key={header.id}
                  name={header.column.id}
                  isHidden={hidden.has(header.column.id)}
                  sorted={header.column.getIsSorted()}
                  onSort={header.column.getCanSort() ? header.column.getToggleSortingHandler() : undefined}
                />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {rowsOfTable.slice(0, shown).map((row) => (
            <tr key={row.id} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {row.getAllCells().map((cell) => (
                <td key={cell.id} className={cn('px-4 py-2 align-top', styles.get(cell.column.id))}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <div className="flex items-center gap-3 border-t border-line px-4 py-2 text-sm text-muted">
          {shown.toLocaleString('en')} of {rows.length.toLocaleString('en')}
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

interface HeadProps {
  readonly name: string;
  readonly isHidden: boolean;
  readonly sorted: false | 'asc' | 'desc';
  readonly onSort: ((event: unknown) => void) | undefined;
}

function Head({ name, isHidden, sorted, onSort }: HeadProps) {
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined;
  return (
    <th scope="col" className="px-4 py-2 font-medium whitespace-nowrap" aria-sort={order}>
      {onSort ? (
        <button type="button" className="inline-flex items-center gap-1 hover:text-ink" onClick={onSort}>
          {name}
          {sorted === 'asc' && <ArrowUp aria-hidden className="size-3" />}
          {sorted === 'desc' && <ArrowDown aria-hidden className="size-3" />}
        </button>
      ) : (
        <span className={isHidden ? 'sr-only' : undefined}>{name}</span>
      )}
    </th>
  );
}
