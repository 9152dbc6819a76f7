import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/** The words of an owner are counted again when so many rows changed, and such a share of what was counted. */
const MIN_CHANGED = 16;
const SHARE_CHANGED = 0.25;

/** Until what went is not counted any more: many removals in a row cost one count in this time. */
const AFTER_REMOVAL = `interval '5 s'`;

/**
 * Notes what changed, and whose words are to be counted when. Owners that are not open any more are left out. Parameters, beside
 * each other: the owners, how many rows came or changed, whether rows went.
 */
export const noteChangedWords = (table: IndexedTable) =>
  sql({
    text: `
INSERT INTO ${tablesOf(table).words} AS known (owner_uid, changed, due_at)
SELECT owner.uid, given.added,
       CASE WHEN is_removed THEN now() + ${AFTER_REMOVAL} WHEN given.added >= ${MIN_CHANGED} THEN now() END
FROM unnest($1::uuid[], $2::int[], $3::bool[]) AS given (uid, added, is_removed)
JOIN (${table.owners}) AS owner ON owner.uid = given.uid
ORDER BY owner.uid
ON CONFLICT (owner_uid) DO UPDATE SET
  changed = known.changed + excluded.changed,
  due_at = CASE WHEN known.changed + excluded.changed >= greatest(${MIN_CHANGED}, ${SHARE_CHANGED} * known.texts)
                THEN least(known.due_at, now())
                WHEN excluded.due_at > now() THEN least(known.due_at, excluded.due_at) ELSE known.due_at END`,
  });
