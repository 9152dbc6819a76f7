import { conflict } from '@loci/contracts';
import { type PreparedStatement, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { MAX_BATCH } from '../ingestion/retry-plan.js';
import { type Triggers } from '../intake/backlog.js';
import { type Claim, type NewClaim, type PassEnd } from './job.js';
import { JobsRepository, type Schedule } from './jobs.repository.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;

/** A span of milliseconds. @param parameter its place */
const ms = (parameter: number): string => `$${parameter}::float8 * interval '1 ms'`;

const SCHEDULE: PreparedStatement = {
  name: 'ingestion_schedule',
  sql: `
WITH ripe AS (
  SELECT set_uid FROM ${JOBS}
  WHERE state IN ('idle', 'retrying') AND fresh > 0 AND (fresh_since <= now() - ${ms(1)} OR fresh >= $2)
     OR state IN ('retrying', 'blocked') AND run_after <= now()
     OR state = 'running' AND lease_until < clock_timestamp()
     OR state = 'due' AND ordered_at < now() - ${ms(3)}
  LIMIT $4 FOR UPDATE SKIP LOCKED
), due AS (
  UPDATE ${JOBS} AS job
  SET state = 'due', run_after = now(), ordered_at = now(), lease_until = NULL, changed_at = now()
  FROM ripe WHERE job.set_uid = ripe.set_uid RETURNING job.set_uid)
SELECT set_uid FROM due`,
};

const CLAIM = (locking: string): string => `
WITH busy AS (
  SELECT org_id, project_uid, count(*) AS sets FROM ${JOBS} WHERE state = 'running' GROUP BY org_id, project_uid
), next AS (
  SELECT job.set_uid FROM ${JOBS} AS job
  LEFT JOIN busy ON busy.org_id = job.org_id AND busy.project_uid IS NOT DISTINCT FROM job.project_uid
  WHERE job.state = 'due' AND job.run_after <= now()
  ORDER BY coalesce(busy.sets, 0), job.run_after, job.set_uid
  LIMIT 1 FOR UPDATE OF job ${locking}
), claimed AS (
  UPDATE ${JOBS} AS job
  SET state = 'running', attempt = attempt + 1, lease_until = clock_timestamp() + ${ms(1)},
      fresh = 0, fresh_since = NULL, code = NULL, reason = NULL, changed_at = now()
  FROM next WHERE job.set_uid = next.set_uid
  RETURNING job.set_uid, job.attempt, job.org_id, job.project_uid)
SELECT * FROM claimed`;

/** First among those that nobody touches, then waiting for one that intake has its hands on. */
const CLAIMS: readonly PreparedStatement[] = [
  { name: 'ingestion_claim', sql: CLAIM('SKIP LOCKED') },
  { name: 'ingestion_claim_waiting', sql: CLAIM('') },
];

/**
 * A statement of its own: what intake committed while the claim waited for the row belongs to it. It answers the traces
 * of the messages that come next.
 */
const TAKE_UP: PreparedStatement = {
  name: 'ingestion_take_up',
  sql: `
WITH taken AS (
  UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now()
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NULL)
SELECT DISTINCT unnest(traceparents) AS traceparent FROM (
  SELECT traceparents FROM ${SCHEMA}.ingestion_messages
  WHERE set_uid = $1 AND done_at IS NULL ORDER BY said_at, episode_uid LIMIT ${MAX_BATCH}) AS next`,
};

/** Parameters 1 and 2: set and attempt. A lease that has run out is lost, whether or not somebody else has the set. */
const IS_HELD = `set_uid = $1 AND attempt = $2 AND state = 'running' AND lease_until > clock_timestamp()`;

const FENCE: PreparedStatement = {
  name: 'ingestion_fence',
  sql: `SELECT 1 FROM ${JOBS} WHERE ${IS_HELD} FOR UPDATE`,
};

const RENEW: PreparedStatement = {
  name: 'ingestion_renew',
  sql: `UPDATE ${JOBS} SET lease_until = clock_timestamp() + ${ms(3)} WHERE ${IS_HELD} RETURNING 1`,
};

const RELEASE: PreparedStatement = {
  name: 'ingestion_release',
  sql: `UPDATE ${JOBS}
        SET state = CASE WHEN $3 = 'more' OR $3 IN ('done', 'retrying') AND fresh >= $4 THEN 'due'
                         WHEN $3 = 'done' THEN 'idle' ELSE $3 END,
            lease_until = NULL, ordered_at = now(), run_after = now() + ${ms(5)},
            code = $6, reason = $7, changed_at = now()
        WHERE set_uid = $1 AND attempt = $2 AND state = 'running'
        RETURNING state`,
};

interface ClaimRow {
  readonly set_uid: string;
  readonly attempt: string;
  readonly org_id: string;
  readonly project_uid: string | null;
}

@Injectable()
export class TypeormJobsRepository extends JobsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async schedule({ triggers, lostAfterMs, limit }: Schedule, tx: Transaction): Promise<string[]> {
    const rows = await this.unitOfWork.prepared<{ set_uid: string }>(
      SCHEDULE,
      [triggers.ageSeconds * 1000, triggers.messages, lostAfterMs ?? null, limit],
      { tx, scope: ROWS_OF_ALL },
    );
    return rows.map(({ set_uid }) => set_uid);
  }

  override async claim(leaseMs: number): Promise<NewClaim | undefined> {
    for (const statement of CLAIMS) {
      const claim = await this.tryClaim(statement, leaseMs);
      if (claim) return claim;
    }
    return undefined;
  }

  override async renew({ setUid, attempt }: Claim, leaseMs: number): Promise<boolean> {
    const renewed = await this.unitOfWork.prepared(RENEW, [setUid, attempt, leaseMs], { scope: ROWS_OF_ALL });
    return renewed.length === 1;
  }

  override async fence({ setUid, attempt }: Claim, tx: Transaction): Promise<void> {
    const held = await this.unitOfWork.prepared(FENCE, [setUid, attempt], { tx, scope: ROWS_OF_ALL });
    if (held.length === 0) {
      throw conflict('lease_lost', 'Another worker has taken this set over; leave it to that one.');
    }
  }

  override async release(
    { setUid, attempt }: Claim,
    end: PassEnd,
    triggers: Triggers,
    tx: Transaction,
  ): Promise<boolean> {
    const waits = end.kind === 'retrying' || end.kind === 'blocked';
    const [why, afterMs] = waits ? [[end.code, end.reason], end.afterMs] : [[null, null], 0];
    const rows = await this.unitOfWork.prepared<{ state: string }>(
      RELEASE,
      [setUid, attempt, end.kind, triggers.messages, afterMs, ...why],
      { tx, scope: ROWS_OF_ALL },
    );
    return rows[0]?.state === 'due';
  }

  override async unblock(): Promise<void> {
    const sql = `UPDATE ${JOBS} SET run_after = now() WHERE state = 'blocked' AND run_after > now()`;
    await this.unitOfWork.single((manager) => manager.query(sql), ROWS_OF_ALL);
  }

  private tryClaim(statement: PreparedStatement, leaseMs: number): Promise<NewClaim | undefined> {
    const scope = ROWS_OF_ALL;
    return this.unitOfWork.run(
      async (tx) => {
        const [row] = await this.unitOfWork.prepared<ClaimRow>(statement, [leaseMs], { tx, scope });
        if (!row) return undefined;
        const causes = await this.unitOfWork.prepared<{ traceparent: string }>(TAKE_UP, [row.set_uid], {
          tx,
          scope,
        });
        return { ...toClaim(row), causes: causes.map(({ traceparent }) => traceparent) };
      },
      { scope },
    );
  }
}

const toClaim = (row: ClaimRow): Claim => ({
  setUid: row.set_uid,
  attempt: row.attempt,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
});
