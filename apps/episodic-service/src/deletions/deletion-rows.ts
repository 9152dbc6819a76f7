import { type Deletion, type DeletionState, type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { MAX_UNFINISHED } from '@loci/platform';
import { SCHEMA } from '../database.js';
import { instantText } from '../episodes/episode-rows.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** Condition: the next step may begin. */
export const IS_DUE = `deletions.state <> 'done' AND next_at <= now() AND ${DELETION_LEASE.isFree} AND ${DELETION_LEASE.mayBegin}`;

/**
 * Counts those that a worker has still to do. Parameters: the owner, how many are counted at most.
 * @param owner the column that names it
 */
export const countOpen = (owner: 'project_uid' | 'organization'): string => `
SELECT count(*)::int AS open FROM (
  SELECT FROM ${SCHEMA}.deletions
  WHERE ${owner} = $1 AND state <> 'done' AND ${DELETION_LEASE.mayBegin} LIMIT $2) AS counted`;

export const DELETION_COLUMNS = `uid, state, matching, deleted, ${instantText('requested_at')} AS requested_at,
  ${instantText('finished_at')} AS finished_at, ${DELETION_LEASE.isSetAside} AS is_set_aside`;

/** The columns of `DELETION_COLUMNS`. */
export const DELETION_ROW = rowColumns({
  uid: 'uuid',
  state: narrowed<DeletionState>('text'),
  matching: 'int4',
  deleted: 'int4',
  requested_at: narrowed<Instant>('text'),
  finished_at: narrowed<Instant | null>('text?'),
  is_set_aside: 'bool',
});

const SET_ASIDE = `Its process ended ${MAX_UNFINISHED} times in a row at the next step, so that it goes on no more by itself. Ask an operator to have it tried again, or delete in smaller parts.`;

export const toDeletion = (row: RowOf<typeof DELETION_ROW>): Deletion => ({
  id: row.uid,
  state: row.state,
  matching: row.matching,
  deleted: row.deleted,
  requestedAt: row.requested_at,
  finishedAt: row.finished_at ?? undefined,
  error: row.is_set_aside ? SET_ASIDE : undefined,
});
