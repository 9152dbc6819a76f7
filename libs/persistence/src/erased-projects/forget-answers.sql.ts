import { REMOVAL_BATCH_SIZE } from '../retention/expired-rows.js';
import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/**
 * Forgets a batch of the answers that a project was given which is being erased: once it is erased, its name may be that of
 * another, with answers of its own. Parameters: the tenant, the uid.
 */
export const forgetAnswers = (schema: string) => {
  const answers = qualified(schema, 'idempotency');
  return sql({
    text: `WITH removed AS (
             DELETE FROM ${answers} WHERE tenant = $1 AND (operation, key) IN (
               SELECT operation, key FROM ${answers}
               WHERE tenant = $1
                 AND EXISTS (SELECT FROM ${qualified(schema, 'projects')} WHERE uid = $2 AND state = 'erasing')
               LIMIT ${REMOVAL_BATCH_SIZE})
             RETURNING 1)
           SELECT count(*)::int AS count FROM removed`,
    row: { count: 'int4' },
  });
};
