import { type Filter, type FilterField, type SystemField } from '@loci/contracts';
import { type FieldColumn, type FieldColumns } from './field-columns.js';

/** Where a filter finds what it tests more than once. */
export interface ReadOnce {
  /** The same columns; those that are read once by the names that `from` gives them. */
  readonly columns: FieldColumns;
  /** A relation of one row for each row that is filtered; undefined = nothing is tested more than once. */
  readonly from: string | undefined;
  readonly holds: (field: FilterField) => boolean;
}

const ROW = 'once';
const METADATA = 'metadata';

/**
 * Metadata and texts may be long, and then PostgreSQL decompresses them each time that an expression reads them. What
 * several tests of a filter need is read once for each row instead: the operators leave values as they are, but not
 * compressed, and OFFSET 0 keeps the planner from putting the expressions back into the tests.
 */
export function readOnce(filter: Filter, columns: FieldColumns): ReadOnce {
  const uses = new Map<string, number>();
  for (const field of fieldsOf(filter)) uses.set(nameOf(field), (uses.get(nameOf(field)) ?? 0) + 1);
  const isRepeated = (name: string): boolean => (uses.get(name) ?? 0) > 1;

  const selected: string[] = [];
  const select = (sql: string): string => `${ROW}.c${selected.push(sql) - 1}`;
  const metadata = isRepeated(METADATA) ? select(`(${columns.metadata}) || '{}'::jsonb`) : columns.metadata;
  const fields: Partial<Record<SystemField, FieldColumn>> = { ...columns.fields };
  const read = new Set(isRepeated(METADATA) ? [METADATA] : []);
  for (const [name, column] of Object.entries(columns.fields)) {
    if (!isText(column) || !isRepeated(`field ${name}`)) continue;
    fields[name as SystemField] = { sql: select(`(${column.sql})::text || ''`), type: 'text' };
    read.add(`field ${name}`);
  }
  const list = selected.map((sql, index) => `${sql} AS c${index}`).join(', ');
  return {
    columns: { metadata, fields },
    from: selected.length > 0 ? `(SELECT ${list} OFFSET 0) AS ${ROW}` : undefined,
    holds: (field) => read.has(nameOf(field)),
  };
}

/** The fields that a filter tests, one for each test. */
export function fieldsOf(filter: Filter): FilterField[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.args.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(filter.arg);
    case 'compare':
    case 'in':
    case 'present':
      return [filter.field];
  }
}

const nameOf = (field: FilterField): string => (field.kind === 'metadata' ? METADATA : `field ${field.name}`);

const isText = (column: FieldColumn): column is Extract<FieldColumn, { sql: string }> =>
  'sql' in column && column.type === 'text';
