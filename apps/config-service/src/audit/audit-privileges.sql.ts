import { sql } from '@loci/persistence';

/** Whether the login may change a table. Parameter: its name. */
export const AUDIT_PRIVILEGES = sql({
  text: `SELECT has_table_privilege($1, 'UPDATE') OR has_table_privilege($1, 'DELETE')
           OR has_table_privilege($1, 'TRUNCATE') AS allowed`,
  row: { allowed: 'bool' },
});
