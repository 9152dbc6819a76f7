import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';
import { type LeaseSql } from './lease.js';
import { WORK_LEASE } from './work-lease-sql.js';

/** A table whose rows are leased themselves. */
export interface LeasedTable {
  /** What the work is called. */
  readonly kind: string;
  /** Its name in the schema of the service. */
  readonly table: string;
  readonly lease: LeaseSql;
}

/** How much of each kind of work is set aside, in `work_leases` and in these tables. */
export function countSetAside(schema: string, tables: readonly LeasedTable[]) {
  const found = tables.map(
    ({ kind, table, lease }) =>
      `UNION ALL SELECT '${kind}' FROM ${qualified(schema, table)} WHERE ${lease.isSetAside}`,
  );
  return sql({
    text: `SELECT kind, count(*)::int AS works
           FROM (SELECT kind FROM ${qualified(schema, 'work_leases')} WHERE ${WORK_LEASE.isSetAside}
                 ${found.join(' ')}) AS set_aside
           GROUP BY kind`,
    row: { kind: 'text', works: 'int4' },
  });
}
