import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/**
 * Marks a project as erased unless something of it is left. Parameter: its uid.
 * @param projectTables tables with a column `project_uid`
 */
export function markProjectErased(schema: string, projectTables: readonly string[]) {
  const remains = projectTables.map(
    (table) => `EXISTS (SELECT FROM ${qualified(schema, table)} WHERE project_uid = $1)`,
  );
  return sql({
    text: `WITH left_over AS (
             SELECT ${remains.join(' OR ')} AS remaining
           ), marked AS (
             UPDATE ${qualified(schema, 'projects')} SET state = 'erased', changed_at = now()
             FROM left_over WHERE uid = $1 AND state = 'erasing' AND NOT remaining
             RETURNING uid
           )
           SELECT remaining, EXISTS (SELECT FROM marked) AS marked FROM left_over`,
    row: { remaining: 'bool', marked: 'bool' },
  });
}
