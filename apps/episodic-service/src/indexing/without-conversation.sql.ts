import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { AWAITS_VECTOR } from '../episodes/adjacent-episodes.js';
import { UNKNOWN_CONVERSATION } from '../episodes/conversations.js';

/** Once so many wait for their vectors, none is added to them. */
const MAX_WAITING = 500;

/**
 * Locks the first episodes that an older version stored, with what tells their conversation, and that of the previous turn
 * of which their vector tells, if it is still there; none while too many wait for their vectors.
 * Parameter: how many at most.
 */
export const WITHOUT_CONVERSATION = sql({
  name: 'without_conversation',
  text: `
SELECT episodes.uid, episodes.producer_id, episodes.produced_for_id, episodes.metadata, episodes.embedded_after,
       previous.producer_id AS previous_producer_id, previous.produced_for_id AS previous_produced_for_id,
       previous.metadata AS previous_metadata
FROM ${SCHEMA}.episodes LEFT JOIN ${SCHEMA}.episodes AS previous
  ON previous.uid = episodes.embedded_after AND previous.deleted_at IS NULL
WHERE episodes.conversation = '${UNKNOWN_CONVERSATION}'
  AND (SELECT count(*) FROM (
         SELECT FROM ${SCHEMA}.episodes WHERE ${AWAITS_VECTOR} LIMIT ${MAX_WAITING}) AS waiting
      ) < ${MAX_WAITING}
ORDER BY episodes.added_at LIMIT $1 FOR UPDATE OF episodes SKIP LOCKED`,
  row: {
    uid: 'uuid',
    producer_id: 'text',
    produced_for_id: 'text',
    metadata: narrowed<Readonly<Record<string, string>>>('jsonb'),
    embedded_after: 'uuid?',
    previous_producer_id: 'text?',
    previous_produced_for_id: 'text?',
    previous_metadata: narrowed<Readonly<Record<string, string>> | null>('jsonb?'),
  },
});
