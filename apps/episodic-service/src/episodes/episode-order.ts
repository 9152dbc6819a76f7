import { type AdditionPosition, type FollowedEpisode, type Instant } from '@loci/contracts';
import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { ADDED_AT, instantText } from './episode-rows.js';

/**
 * An episode bears the time at which its transaction began, and appears when that ends: what is older than the oldest
 * transaction is complete. Asked for before, and apart from, the page: a transaction that ended between the two is then
 * in the page, and one that ended before was no transaction any more. A role sees its own transactions, which are all
 * that add episodes.
 */
const COMPLETE_UNTIL = `
SELECT ${instantText(`least(now() - $1::float8 * interval '1 ms', min(xact_start))`)} AS until
FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL`;

const FOLLOW = `
SELECT episodes.uid, ${ADDED_AT}, project_uid, org_id, project_id
FROM ${SCHEMA}.episodes JOIN ${SCHEMA}.projects ON projects.uid = project_uid
WHERE is_semantic AND deleted_at IS NULL AND state = 'open'
  AND (added_at, episodes.uid) > (coalesce($1::timestamptz, '-infinity'), coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid)
  AND added_at < $3::timestamptz
ORDER BY episodes.added_at, episodes.uid LIMIT $4`;

interface FollowedRow {
  readonly uid: string;
  readonly added_at: Instant;
  readonly project_uid: string;
  readonly org_id: string;
  readonly project_id: string;
}

/** Episodes of all projects in the order in which they were added. */
@Injectable()
export class EpisodeOrder {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those for semantic memory that come after a position and are old enough; none appears later among them. */
  follow(
    after: AdditionPosition | undefined,
    { olderThanMs, limit }: { olderThanMs: number; limit: number },
  ): Promise<FollowedEpisode[]> {
    return this.unitOfWork.single(async (manager) => {
      const [complete] = await manager.query<{ until: Instant | null }[]>(COMPLETE_UNTIL, [olderThanMs]);
      const rows = await manager.query<FollowedRow[]>(FOLLOW, [
        after?.addedAt,
        after?.uid,
        complete?.until,
        limit,
      ]);
      return rows.map(toFollowed);
    }, ROWS_OF_ALL);
  }
}

const toFollowed = (row: FollowedRow): FollowedEpisode => ({
  uid: row.uid,
  addedAt: row.added_at,
  project: {
    projectUid: row.project_uid,
    tenant: { orgId: row.org_id, projectId: row.project_id },
  },
});
