import { type Deletion, type DeletionState, type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText } from '../episodes/episode-rows.js';

export const DELETION_COLUMNS = `uid, state, matching, deleted, ${instantText('requested_at')} AS requested_at,
  ${instantText('finished_at')} AS finished_at`;

/** The columns of `DELETION_COLUMNS`. */
export const DELETION_ROW = rowColumns({
  uid: 'uuid',
  state: narrowed<DeletionState>('text'),
  matching: 'int4',
  deleted: 'int4',
  requested_at: narrowed<Instant>('text'),
  finished_at: narrowed<Instant | null>('text?'),
});

export const toDeletion = (row: RowOf<typeof DELETION_ROW>): Deletion => ({
  id: row.uid,
  state: row.state,
  matching: row.matching,
  deleted: row.deleted,
  requestedAt: row.requested_at,
  finishedAt: row.finished_at ?? undefined,
});
