import { type AdditionPosition, type FollowedEpisode } from '@loci/contracts';
import { type RowOf, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { COMPLETE_UNTIL } from './complete-until.sql.js';
import { FOLLOW_EPISODES } from './follow-episodes.sql.js';

/** Episodes of all projects in the order in which they were added. */
@Injectable()
export class EpisodeFeed {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those for semantic memory that come after a position and are old enough; none appears later among them. */
  async follow(
    after: AdditionPosition | undefined,
    { olderThanMs, limit }: { olderThanMs: number; limit: number },
  ): Promise<FollowedEpisode[]> {
    const scope = ROWS_OF_ALL;
    const [complete] = await this.unitOfWork.execute(COMPLETE_UNTIL, [olderThanMs], { scope });
    const bounds = [after?.addedAt, after?.uid, complete?.until, limit];
    const rows = await this.unitOfWork.execute(FOLLOW_EPISODES, bounds, { scope });
    return rows.map(toFollowed);
  }
}

const toFollowed = (row: RowOf<typeof FOLLOW_EPISODES.row>): FollowedEpisode => ({
  uid: row.uid,
  addedAt: row.added_at,
  project: {
    projectUid: row.project_uid,
    tenant: { orgId: row.org_id, projectId: row.project_id },
  },
});
