import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the uids, beside each its conversation, and whether its vector tells of a turn of another one: it waits again. */
export const SET_CONVERSATIONS = sql({
  name: 'set_conversations',
  text: `
UPDATE ${SCHEMA}.episodes SET
  conversation = given.conversation,
  indexed_at = CASE WHEN NOT is_outdated THEN indexed_at END,
  ordered_at = CASE WHEN NOT is_outdated THEN ordered_at END,
  carried_to = CASE WHEN NOT is_outdated THEN carried_to END
FROM unnest($1::uuid[], $2::uuid[], $3::bool[]) AS given(uid, conversation, is_outdated)
WHERE episodes.uid = given.uid`,
});
