import { type RowColumns } from '../statements/row-columns.js';

export interface FirstWithinBytes {
  /** A SELECT that has `order`, and everything that `columns` and `bytes` name. */
  readonly page: string;
  /** What is read of each row. */
  readonly columns: string;
  /** The size of one row as an SQL expression. */
  readonly bytes: string;
  /** The columns that sort the rows, as the page sorts them. */
  readonly order: readonly string[];
  /** The placeholder of the most bytes that all rows may have together. */
  readonly maxBytes: `$${number}`;
}

/**
 * A statement that reads the first rows of a page, as many as fit. It weighs them before it reads them: PostgreSQL knows
 * the length of a long text without reading it. The first row is always read. `PAGE_ROWS` may be among the columns.
 */
export const firstWithinBytes = ({ page, columns, bytes, order, maxBytes }: FirstWithinBytes): string => `
  WITH page AS MATERIALIZED (${page}), weighed AS (
    SELECT *, sum(${bytes}) OVER in_order AS bytes, row_number() OVER in_order AS ordinal,
           (count(*) OVER ())::int AS page_rows
    FROM page WINDOW in_order AS (ORDER BY ${order.join(', ')} ROWS UNBOUNDED PRECEDING))
  SELECT ${columns} FROM weighed WHERE bytes <= ${maxBytes} OR ordinal = 1
  ORDER BY ${order.map((column) => `weighed.${column}`).join(', ')}`;

/** How many rows the page has, whether they fit or not. */
export const PAGE_ROWS = { page_rows: 'int4' } as const satisfies RowColumns;

export interface FirstRows<Row> {
  readonly rows: readonly Row[];
  /** Whether the page has more. */
  readonly hasMore: boolean;
}

/**
 * The rows of such a statement that go into one answer: their texts fit, but JSON adds to them. The first is always there.
 * @param limit of rows; the page reads one more, so that it is known whether there are more
 */
export function firstRows<Row extends { readonly page_rows: number }>(
  rows: readonly Row[],
  { limit, maxBytes }: { readonly limit: number; readonly maxBytes: number },
): FirstRows<Row> {
  let bytes = 0;
  const tooMuch = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return index > 0 && (index >= limit || bytes > maxBytes);
  });
  const fitting = tooMuch === -1 ? rows : rows.slice(0, tooMuch);
  return { rows: fitting, hasMore: fitting.length < (rows[0]?.page_rows ?? 0) };
}
