import { type FilterField, type SystemField } from '@loci/contracts';
import { type SqlParameters } from './sql-parameters.js';

/** Where a system field is found: an SQL expression of ours over the row, or one value that all rows share. */
export type FieldColumn =
  { readonly sql: string; readonly type: 'text' | 'instant' | 'integer' } | { readonly constant: string };

/** What the fields of the filter language are for one kind of row. */
export interface FieldColumns {
  /** A field that is not here is missing in every row. */
  readonly fields: Readonly<Partial<Record<SystemField, FieldColumn>>>;
  /** A `jsonb` expression: an object with text values. */
  readonly metadata: string;
}

/** One side of a comparison: an expression that is NULL where the row has no such value. */
export interface Operand {
  readonly sql: string;
  readonly type: 'text' | 'instant' | 'integer';
}

/** @returns undefined when no row has such a field */
export function operandOf(
  field: FilterField,
  columns: FieldColumns,
  parameters: SqlParameters,
): Operand | undefined {
  if (field.kind === 'metadata') {
    const key = parameters.text(field.key);
    return key === undefined ? undefined : { sql: `((${columns.metadata}) ->> ${key})`, type: 'text' };
  }
  const column = columns.fields[field.name];
  if (!column) return undefined;
  if ('constant' in column) return constantOperand(column.constant, parameters);
  return { sql: column.type === 'text' ? `(${column.sql})::text` : `(${column.sql})`, type: column.type };
}

function constantOperand(value: string, parameters: SqlParameters): Operand | undefined {
  const sql = parameters.text(value);
  return sql === undefined ? undefined : { sql, type: 'text' };
}
