import { type Filter } from '@loci/contracts';
import { compare, equalsAny } from './comparison-to-sql.js';
import { type FieldColumns, type Operand, operandOf } from './field-columns.js';
import { fieldsOf, readOnce } from './read-once.js';
import { SqlParameters } from './sql-parameters.js';

export interface SqlPredicate {
  /** In parentheses where that matters; TRUE or FALSE for every row, never NULL and never an error. */
  readonly sql: string;
  readonly parameters: unknown[];
}

/**
 * Compiles a filter to a predicate over rows. The values of the filter, its metadata keys included, are parameters.
 * Two-valued: a comparison with a missing value is false, and its negation true. Metadata is text; it is compared as a
 * number with a number when it looks like one, as a moment with a moment, otherwise by code points
 * (api-contract §0 rows 14 to 16).
 * @param firstParameter number of the first parameter of the predicate
 */
export function filterToSql(filter: Filter, columns: FieldColumns, firstParameter: number): SqlPredicate {
  const parameters = new SqlParameters(firstParameter);
  const { columns: onceRead, from, holds } = readOnce(filter, columns);
  if (from === undefined) return { sql: compile(filter, columns, parameters), parameters: parameters.values };
  // what needs nothing of it stays outside, where indexes serve it
  const conjuncts = filter.op === 'and' ? filter.args : [filter];
  const [inside, outside] = partition(conjuncts, (arg) => fieldsOf(arg).some(holds));
  const tests = outside.map((arg) => compile(arg, columns, parameters));
  const repeated = inside.map((arg) => compile(arg, onceRead, parameters)).join(' AND ');
  return {
    sql: `(${[...tests, `(SELECT ${repeated} FROM ${from})`].join(' AND ')})`,
    parameters: parameters.values,
  };
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function compile(filter: Filter, columns: FieldColumns, parameters: SqlParameters): string {
  switch (filter.op) {
    case 'and':
    case 'or':
      return compileGroup(filter, columns, parameters);
    case 'not':
      return `(NOT ${compile(filter.arg, columns, parameters)})`;
    case 'compare':
    case 'in':
    case 'present':
      return compileTest(filter, columns, parameters);
  }
}

function compileGroup(
  { op, args }: Extract<Filter, { op: 'and' | 'or' }>,
  columns: FieldColumns,
  parameters: SqlParameters,
): string {
  if (args.length === 0) return op === 'and' ? 'TRUE' : 'FALSE';
  return `(${args.map((arg) => compile(arg, columns, parameters)).join(op === 'and' ? ' AND ' : ' OR ')})`;
}

function compileTest(
  filter: Extract<Filter, { field: unknown }>,
  columns: FieldColumns,
  parameters: SqlParameters,
): string {
  const operand = operandOf(filter.field, columns, parameters);
  if (!operand) return 'FALSE';
  const isPresent = `${operand.sql} IS NOT NULL`;
  if (filter.op === 'present') return `(${isPresent})`;
  const isUnequal = filter.op === 'compare' && filter.comparison === '!=';
  const test = compileComparison(filter, operand, parameters);
  return `(${isPresent} AND ${isUnequal ? 'NOT ' : ''}COALESCE(${test}, FALSE))`;
}

/** The comparison itself; that of `!=` is the one with `=`. NULL or FALSE where nothing can be compared. */
function compileComparison(
  filter: Extract<Filter, { op: 'compare' | 'in' }>,
  operand: Operand,
  parameters: SqlParameters,
): string {
  if (filter.op === 'in') return equalsAny(operand, filter.values, parameters);
  const { comparison, value } = filter;
  return compare(operand, comparison === '!=' ? '=' : comparison, value, parameters);
}
