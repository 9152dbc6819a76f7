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

/** Of a column with names that somebody gave: a long one breaks, and leaves room for what stands beside it. */
export const NAME_COLUMN = 'wrap-anywhere md:min-w-40';

const CELL = 'px-4 py-2 align-top max-md:grid max-md:items-start max-md:gap-x-3 max-md:py-0.5';

const LABELLED = 'max-md:grid-cols-[6.5rem_minmax(0,1fr)]';

const toColumn = <Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> => ({
  id: column.name,
  accessorFn: column.by ?? (() => ''),
  enableSorting: column.by !== undefined,
  header: column.name,
  cell: ({ row }) => column.cell(row.original),
});

/** Rows that are sorted by a click on the head of a column. Where there is little room, each cell has a line of its own. */
export function DataTable<Row extends object>({ label, rows, idOf, columns }: DataTableProps<Row>) {
  const [shown, setShown] = useState(STEP);
  const table = useTable({ features, columns: columns.map(toColumn), data: rows, getRowId: idOf });
  const styles = new Map(columns.map(({ name, className }) => [name, className]));
  const hidden = new Set(columns.filter(({ isNameHidden }) => isNameHidden).map(({ name }) => name));
  const rowsOfTable = table.getRowModel().rows;
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full border-collapse text-left text-sm max-md:block">
        <thead className="text-xs text-muted max-md:block">
          {table.getHeaderGroups().map((group) => (
            <tr
              key={group.id}
              className="border-b border-line max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-4 max-md:px-4 max-md:py-2 max-md:before:content-[attr(data-narrow)]"
              data-narrow="Sort by"
            >
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
        <tbody className="max-md:block">
          {rowsOfTable.slice(0, shown).map((row) => (
            <tr
              key={row.id}
              className="border-b border-line last:border-0 hover:bg-sunken/60 max-md:block max-md:py-2"
            >
              {row.getAllCells().map((cell) => (
                <td
                  key={cell.id}
                  className={cn(CELL, !hidden.has(cell.column.id) && LABELLED, styles.get(cell.column.id))}
                >
                  {!hidden.has(cell.column.id) && (
                    <span aria-hidden className="text-xs text-muted md:hidden">
                      {cell.column.id}
                    </span>
                  )}
                  <div className="min-w-0">
                    <table.FlexRender cell={cell} />
                  </div>
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
    <th
      scope="col"
      // in lines of their own, cells say what they are: heads are there to sort by
      className={cn('px-4 py-2 font-medium whitespace-nowrap max-md:p-0', !onSort && 'max-md:sr-only')}
      aria-sort={order}
    >
      {onSort ? (
        <button
          type="button"
          className="inline-flex min-h-[24px] min-w-[24px] items-center gap-1 hover:text-ink"
          onClick={onSort}
        >
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
