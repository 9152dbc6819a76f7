import { sql } from '@loci/persistence';
import { type IndexedTable, tablesOf } from '../index-versions/indexed-table.js';

/**
 * Notes what was counted; what changed meanwhile goes on being due, and may have been counted by another worker since. Parameters: the owner, how many changes were there when it was
 * taken, the token that it was taken with, the texts, their terms.
 */
export const saveWords = (table: IndexedTable) =>
  sql({
    text: `UPDATE ${tablesOf(table).words}
           SET revision = revision + 1, texts = $4, terms = $5, changed = greatest(changed - $2, 0),
               due_at = CASE WHEN due_at = $3::timestamptz THEN NULL ELSE due_at END
           WHERE owner_uid = $1`,
  });
