import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** After which another worker counts the words that one took and did not count. */
const LEASE = `interval '1 minute'`;

/** Takes owners whose words are to be counted. Parameter: how many at most. */
export const takeUncounted = (table: IndexedTable) => {
  const { words } = tablesOf(table);
  return sql({
    text: `UPDATE ${words} AS taken SET due_at = now() + ${LEASE}
           FROM (SELECT owner_uid FROM ${words} WHERE due_at <= now() ORDER BY due_at LIMIT $1
                 FOR UPDATE SKIP LOCKED) AS due
           WHERE taken.owner_uid = due.owner_uid
           RETURNING taken.owner_uid AS "ownerUid", taken.changed, taken.due_at::text AS token`,
    row: { ownerUid: 'uuid', changed: 'int4', token: 'text' },
  });
};
