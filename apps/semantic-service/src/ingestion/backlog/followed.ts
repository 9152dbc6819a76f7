import { SCHEMA } from '../../database.js';

/** Names the position up to which the order of adding has been followed, in `ingestion_cursors`. */
export const FEED_CURSOR = 'missed-episodes';

/**
 * SQL: whether the order of adding has been followed up to this episode or beyond. Then it has been taken into every set that
 * was to learn from it, and is in none a second time, whether or not its row is still there.
 */
export const isFollowed = (addedAt: string, uid: string): string =>
  `EXISTS (SELECT FROM ${SCHEMA}.ingestion_cursors WHERE name = '${FEED_CURSOR}'
    AND (coalesce(${addedAt}, '-infinity'), ${uid}) <= (position[1]::timestamptz, position[2]::uuid))`;

/** SQL: whether it waits for a set that the quota refused: it is taken in again, once there is room. */
export const isWithoutSet = (projectUid: string, uid: string): string =>
  `EXISTS (SELECT FROM ${SCHEMA}.messages_without_set AS refused
    WHERE refused.project_uid = ${projectUid} AND refused.episode_uid = ${uid})`;
