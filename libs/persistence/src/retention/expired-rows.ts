import { qualified } from '../statements/qualified-name.js';

/** How many rows one statement removes at most, so that none holds locks for long. */
export const REMOVAL_BATCH_SIZE = 1_000;

/** SQL that removes a batch of the rows of a table, and counts them. */
export function removeBatch(schema: string, name: string, condition: string): string {
  const table = qualified(schema, name);
  return `WITH removed AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${REMOVAL_BATCH_SIZE} FOR UPDATE SKIP LOCKED)) RETURNING 1)
          SELECT count(*)::int AS count FROM removed`;
}
