import { type RowColumns } from './row-columns.js';

/** A statement written by hand, and the rows that it answers. */
export interface SqlStatement<Columns extends RowColumns = RowColumns> {
  /** Names this text, and no other, within the process: the server parses and plans it once per connection. */
  readonly name?: string | undefined;
  readonly text: string;
  /** Every column of its rows; none when it answers no rows. A test compares them with what the server describes. */
  readonly row: Columns;
}

type NoColumns = Readonly<Record<string, never>>;

/**
 * A statement for a file `*.sql.ts`, one in each. Give it a name on a hot path, where planning can cost as much as
 * running; none when a request made its text.
 */
export function sql<const Columns extends RowColumns = NoColumns>(statement: {
  readonly name?: string | undefined;
  readonly text: string;
  readonly row?: Columns;
}): SqlStatement<Columns>;
export function sql({
  name,
  text,
  row = {},
}: Partial<SqlStatement> & { readonly text: string }): SqlStatement {
  return { name, text, row };
}
