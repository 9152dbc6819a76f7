import { type FailingCategory, type IngestionState, type Instant } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../../projects/project.js';
import { instantText, SCHEMA } from '../../database.js';
import { rowsIn } from '../../projects/row-scope.js';
import { visibleRows } from '../../projects/visible-rows.js';
import { type IngestionStatus } from './ingestion-status.js';

export interface StatusQuery {
  readonly waitingOnly: boolean;
  /** Absent = any. */
  readonly state: IngestionState | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Parameters 1 to 4: organization, project, whether something has to wait, state. */
const from = (
  scope: Scope,
): string => `FROM ${SCHEMA}.ingestion_jobs AS job JOIN ${SCHEMA}.sets ON sets.uid = job.set_uid
  WHERE ${visibleRows(scope, 'job')}
    AND (NOT $3::boolean OR job.waiting > 0) AND ($4::text IS NULL OR job.state = $4)`;

const COLUMNS = ` sets.id AS set_id, job.project_uid IS NULL AS is_org_level, job.state, job.waiting, job.fresh,
       job.attempt::float8 AS attempts, job.code, job.reason,
       ${instantText(`nullif(job.fresh_since, '-infinity')`)} AS fresh_since,
       ${instantText('job.lease_until')} AS lease_until, ${instantText('job.run_after')} AS run_after,
       ${instantText('job.changed_at')} AS changed_at,
       (SELECT ${instantText('min(received_at)')} FROM ${SCHEMA}.ingestion_messages
        WHERE set_uid = job.set_uid AND done_at IS NULL) AS oldest_at,
       (SELECT count(*)::int FROM ${SCHEMA}.ingestion_dead_letters WHERE set_uid = job.set_uid) AS dead_letters,
       (SELECT coalesce(jsonb_agg(jsonb_build_object(
                 'category', category, 'failures', failures, 'code', code, 'reason', reason,
                 'nextAttemptAt', ${instantText('retry_at')}) ORDER BY category), '[]')
        FROM (SELECT category, failures, code, reason, retry_at
              FROM ${SCHEMA}.ingestion_failures WHERE set_uid = job.set_uid
              UNION ALL
              SELECT category, max(failures), (array_agg(code ORDER BY retry_at))[1],
                     (array_agg(reason ORDER BY retry_at))[1], min(retry_at)
              FROM ${SCHEMA}.ingestion_unfinished WHERE set_uid = job.set_uid AND batch_uid IS NOT NULL
              GROUP BY category) AS failing) AS failing`;

interface StatusRow {
  readonly set_id: string;
  readonly is_org_level: boolean;
  readonly state: IngestionState;
  readonly waiting: number;
  readonly fresh: number;
  readonly attempts: number;
  readonly code: string | null;
  readonly reason: string | null;
  readonly fresh_since: Instant | null;
  readonly lease_until: Instant | null;
  readonly run_after: Instant;
  readonly changed_at: Instant;
  readonly oldest_at: Instant | null;
  readonly dead_letters: number;
  readonly failing: FailingCategory[];
}

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
      const [counted] = await manager.query<{ total: number }[]>(
        `SELECT count(*)::int AS total ${from(scope)}`,
        conditions,
      );
      const rows = await manager.query<StatusRow[]>(
        `SELECT ${COLUMNS} ${from(scope)} ORDER BY sets.id, job.set_uid LIMIT $5 OFFSET $6`,
        [...conditions, limit, offset],
      );
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
