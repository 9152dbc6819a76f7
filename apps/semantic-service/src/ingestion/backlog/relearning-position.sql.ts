import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

const CURSORS = `${SCHEMA}.ingestion_cursors`;
const PREFIX = 'relearning:';
const COUNT_PREFIX = 'relearned:';

/** After so long without a step it is given up: rows that are done meanwhile go again. */
const GIVEN_UP = `interval '1 hour'`;

/** SQL: whether messages of a project are being put back into the backlog: the rows of those that are done say so. */
export const isRelearning = (projectUid: string): string =>
  `EXISTS (SELECT FROM ${CURSORS} WHERE name = '${PREFIX}' || ${projectUid} AND next_at > now())`;

/**
 * Counts learned messages that are put back, for what learning them once has cost.
 * @param messages a query with a `project_uid` and its `messages`
 * @returns an INSERT for a WITH
 */
export const countPutBack = (messages: string): string => `
  INSERT INTO ${CURSORS} AS cursor (name, position)
  SELECT '${COUNT_PREFIX}' || project_uid, ARRAY[messages::text] FROM (${messages}) AS counted WHERE messages > 0
  ON CONFLICT (name) DO UPDATE
  SET position = ARRAY[(cursor.position[1]::bigint + excluded.position[1]::bigint)::text]`;

/** SQL: how many messages of a project were put back so far, each as often as sets had learned from it. */
export const putBackSoFar = (projectUid: string): string =>
  `coalesce((SELECT position[1]::bigint FROM ${CURSORS} WHERE name = '${COUNT_PREFIX}' || ${projectUid}), 0)`;

/** Notes that messages of a project are ordered to be learned again. Parameters: the project, when. */
export const BEGIN_RELEARNING = sql({
  text: `INSERT INTO ${CURSORS} AS cursor (name, position, next_at)
         VALUES ('${PREFIX}' || $1::uuid, ARRAY[$2], now() + ${GIVEN_UP})
         ON CONFLICT (name) DO UPDATE SET position = excluded.position, next_at = excluded.next_at
         WHERE cursor.position[1]::timestamptz < excluded.position[1]::timestamptz`,
});

/** The columns of how far that is, of the order that came last: when it was given, and when all messages were put back. */
export const RELEARNING_STATE = `(
  SELECT position[1]::timestamptz AS started_at, CASE WHEN position[2] = 'done' THEN next_at END AS put_back_at
  FROM ${CURSORS} WHERE name = '${PREFIX}' || $1::uuid)`;

/**
 * Locks how far the messages of a project are put back, for one who takes the next step. Parameters: the project, when that
 * was ordered. No row for an order that a later one has replaced.
 */
export const LOCK_RELEARNING = sql({
  text: `INSERT INTO ${CURSORS} AS cursor (name, position, next_at)
         VALUES ('${PREFIX}' || $1::uuid, ARRAY[$2], now() + ${GIVEN_UP})
         ON CONFLICT (name) DO UPDATE SET next_at = cursor.next_at,
           position = CASE WHEN cursor.position[1]::timestamptz < excluded.position[1]::timestamptz
                           THEN excluded.position ELSE cursor.position END
         WHERE cursor.position[1]::timestamptz <= excluded.position[1]::timestamptz
         RETURNING position`,
  row: { position: narrowed<readonly string[]>('text[]?') },
});

/** A row when a later order has replaced one. Parameters: the project, when that one was given. */
export const FIND_LATER_RELEARNING = sql({
  text: `SELECT name FROM ${CURSORS}
         WHERE name = '${PREFIX}' || $1::uuid AND position[1]::timestamptz > $2::timestamptz`,
  row: { name: 'text' },
});

/** Parameters: the project, its position: when it was ordered, and behind which episode it goes on; whether that was all. */
export const SET_RELEARNING = sql({
  text: `UPDATE ${CURSORS} SET position = $2, next_at = CASE WHEN $3 THEN now() ELSE now() + ${GIVEN_UP} END
         WHERE name = '${PREFIX}' || $1::uuid`,
});

export const FORGET_RELEARNING = sql({
  text: `DELETE FROM ${CURSORS} WHERE name IN ('${PREFIX}' || $1::uuid, '${COUNT_PREFIX}' || $1::uuid)`,
});
