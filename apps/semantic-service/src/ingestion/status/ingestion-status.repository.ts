import { type IngestionState } from '@loci/contracts';
import { execute, type RowOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../../projects/project.js';
import { rowsIn } from '../../projects/row-scope.js';
import { countJobs } from './count-jobs.sql.js';
import { type IngestionStatus } from './ingestion-status.js';
import { listJobs } from './list-jobs.sql.js';

export interface StatusQuery {
  readonly waitingOnly: boolean;
  /** Absent = any. */
  readonly state: IngestionState | undefined;
  readonly offset: number;
  readonly limit: number;
}

type StatusRow = RowOf<ReturnType<typeof listJobs>['row']>;

/** How far the sets of a scope are. What the scope does not show is not there. */
@Injectable()
export class IngestionStatusRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** By set id; `total` counts all pages. */
  list(
    scope: Scope,
    { waitingOnly, state, offset, limit }: StatusQuery,
  ): Promise<{ jobs: IngestionStatus[]; total: number }> {
    const conditions = [scope.orgId, scope.projectUid, waitingOnly, state];
    return this.unitOfWork.single(async (manager) => {
      const [counted] = await execute(manager, countJobs(scope), conditions);
      const rows = await execute(manager, listJobs(scope), [...conditions, limit, offset]);
      return { jobs: rows.map(toStatus), total: counted?.total ?? 0 };
    }, rowsIn(scope));
  }
}

const toStatus = (row: StatusRow): IngestionStatus => ({
  setId: row.set_id,
  isOrgLevel: row.is_org_level,
  state: row.state,
  waiting: row.waiting,
  oldestAt: row.oldest_at ?? undefined,
  fresh: row.fresh,
  putOff: row.put_off,
  freshSince: row.fresh_since ?? undefined,
  attempts: row.attempts,
  leaseUntil: row.lease_until ?? undefined,
  runAfter: row.run_after,
  code: row.code ?? undefined,
  reason: row.reason ?? undefined,
  failing: row.failing,
  deadLetters: row.dead_letters,
  changedAt: row.changed_at,
});
