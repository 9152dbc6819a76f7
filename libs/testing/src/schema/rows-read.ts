interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  /** Pairs that a join made in vain, in each of its loops. */
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

export type PlanRow = { readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] };

/** Asks as the role and in the scope that are wanted. */
type Ask = (statement: string, values: unknown[]) => Promise<readonly PlanRow[]>;

/** Rows that a statement reads, and pairs of rows that its joins compare in vain, as it is asked. @param table counts the rows of this one alone */
export async function rowsReadBy(
  ask: Ask,
  statement: string,
  values: readonly unknown[],
  table?: string,
): Promise<number> {
  const [row] = await ask(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`, [...values]);
  return row ? readIn(row['QUERY PLAN'][0].Plan, table) : Number.NaN;
}

interface BufferedPlan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/**
 * Blocks that a statement reads by the plan for all parameters, which a connection has after a few executions.
 * @param query on one connection, in a transaction, as the role and in the scope that are wanted
 * @param types of the parameters, in SQL
 * @param values of the parameters, as SQL literals
 */
export async function blocksReadByAnyPlan(
  query: (statement: string) => Promise<unknown>,
  statement: string,
  types: readonly string[],
  values: readonly string[],
): Promise<number> {
  await query(`PREPARE measured (${types.join(', ')}) AS ${statement}`);
  await query('SET LOCAL plan_cache_mode = force_generic_plan');
  const rows = await query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured(${values.join(', ')})`);
  await query('DEALLOCATE measured');
  const [row] = rows as { readonly 'QUERY PLAN': readonly [{ readonly Plan: BufferedPlan }] }[];
  const plan = row?.['QUERY PLAN'][0].Plan;
  return plan ? plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] : Number.NaN;
}

function readIn(plan: Plan, table: string | undefined): number {
  const name = plan['Relation Name'];
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const inVain = (plan['Rows Removed by Join Filter'] ?? 0) * plan['Actual Loops'];
  const own = name === undefined || (table !== undefined && name !== table) ? 0 : rows;
  return own + inVain + (plan.Plans ?? []).reduce((sum, part) => sum + readIn(part, table), 0);
}
