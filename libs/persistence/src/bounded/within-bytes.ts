import { MAX_ANSWER_BYTES, tooLarge } from '@loci/contracts';
import { type RowColumns } from '../statements/row-columns.js';

export interface BoundedSelect {
  /** A SELECT with everything that `columns`, `bytes` and `order` name; `uid` is never null in it. */
  readonly page: string;
  /** What is read of each row, `uid` among it. */
  readonly columns: string;
  /** The size of one row as an SQL expression. */
  readonly bytes: string;
  /** Default: none. */
  readonly order?: string;
  /** The placeholder of the most bytes that all rows may have together. */
  readonly maxBytes: `$${number}`;
}

/** The columns of a statement of `withinBytes`; `uid` is null when the rows have too many bytes together, and so are the others. */
export const boundedRow = <const Columns extends RowColumns>(
  columns: Columns,
): Omit<Columns, 'uid'> & { readonly uid: 'uuid?'; readonly page_bytes: 'float8' } => ({
  ...columns,
  uid: 'uuid?',
  page_bytes: 'float8',
});

/**
 * A statement that weighs rows before it reads them: texts that would not fit into an answer never leave the database.
 * PostgreSQL knows the length of a long text without reading it. A single row is always read.
 */
export const withinBytes = ({ page, columns, bytes, order, maxBytes }: BoundedSelect): string => `
  WITH page AS MATERIALIZED (${page}), weighed AS (
    SELECT count(*) AS page_rows, coalesce(sum(${bytes}), 0)::float8 AS page_bytes FROM page)
  SELECT page_bytes, ${columns} FROM weighed LEFT JOIN page ON page_bytes <= ${maxBytes} OR page_rows = 1
  ${order === undefined ? '' : `ORDER BY ${order}`}`;

/** How many rows to read at most: with one more, an answer is too large whatever their texts are. @param bytes what JSON adds to each */
export const mostRows = (bytes: number): number => Math.ceil(MAX_ANSWER_BYTES / bytes);

/** Of a list that has no pages. */
export interface AskedForAll {
  readonly maxBytes: number;
  /** What a client may do, as the end of a sentence. */
  readonly remedy: string;
}

export interface AskedFor {
  readonly maxBytes: number;
  /** The field of the request that says how many rows there may be. */
  readonly field: string;
  /** How many it asked for. */
  readonly count: number;
  /** What else a client may do than to ask for fewer, as the end of a sentence. */
  readonly orElse?: string;
}

/**
 * The rows of a statement of `withinBytes`.
 * @throws AppError `body_too_large`, which says how many rows would fit, or what else helps
 */
export function rowsWithin<Row extends { readonly uid: string | null; readonly page_bytes: number }>(
  rows: readonly Row[],
  asked: AskedFor | AskedForAll,
): (Row & { readonly uid: string })[] {
  const found = rows.filter((row): row is Row & { readonly uid: string } => row.uid !== null);
  const pageBytes = rows[0]?.page_bytes ?? 0;
  const { maxBytes } = asked;
  if (found.length > 0 || pageBytes <= maxBytes) return found;
  throw tooLarge(
    'body_too_large',
    `The answer would have ${pageBytes} bytes, more than ${maxBytes}; ${remedyOf(asked, pageBytes)}.`,
  );
}

function remedyOf(asked: AskedFor | AskedForAll, pageBytes: number): string {
  if ('remedy' in asked) return asked.remedy;
  const { maxBytes, field, count, orElse } = asked;
  const fitting = Math.max(1, Math.floor((count * maxBytes) / pageBytes));
  return `ask for fewer at once, with a ${field} of ${fitting} or less${orElse === undefined ? '' : `, ${orElse}`}`;
}
