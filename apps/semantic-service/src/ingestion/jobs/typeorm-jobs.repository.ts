import { conflict } from '@loci/contracts';
import { type PreparedStatement, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../../database.js';
import { MAX_BATCH } from './retry-plan.js';
import { type Triggers } from '../intake/backlog.js';
import { type Claim, type NewClaim, type PassEnd } from './job.js';
import { type ClaimOptions, JobsRepository, type Schedule } from './jobs.repository.js';
import {
  CLAIMS,
  FIND_IDLE,
  JOBS,
  LOCK_IDLE,
  ms,
  REMOVE_IDLE_ORGS,
  REMOVE_IDLE_QUEUES,
  SCHEDULE,
  TAKE_TURN,
} from './queue-statements.js';

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

const BEGIN: PreparedStatement = {
  name: 'ingestion_begin',
  sql: `UPDATE ${JOBS} SET unfinished = $3::int + 1 WHERE ${IS_HELD} RETURNING 1`,
};

const TAKE_BACK: PreparedStatement = {
  name: 'ingestion_take_back',
  sql: `UPDATE ${JOBS} SET unfinished = $3 WHERE set_uid = $1 AND attempt = $2`,
};

const RELEASE: PreparedStatement = {
  name: 'ingestion_release',
  sql: `UPDATE ${JOBS}
        SET state = CASE WHEN $3 = 'more' OR $3 IN ('done', 'retrying') AND fresh >= $4 THEN 'due'
                         WHEN $3 = 'done' THEN 'idle' ELSE $3 END,
            lease_until = NULL, ordered_at = now(), run_after = now() + ${ms(5)},
            code = $6, reason = $7, unfinished = 0, changed_at = now()
        WHERE set_uid = $1 AND attempt = $2 AND state = 'running'
        RETURNING state`,
};

interface ClaimRow {
  readonly set_uid: string;
  readonly attempt: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly llm_name: string;
  readonly unfinished: number;
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

  override async claim(leaseMs: number, options: ClaimOptions = {}): Promise<NewClaim | undefined> {
    for (const statement of CLAIMS) {
      const claim = await this.tryClaim(statement, leaseMs, options);
      if (claim) return claim;
    }
    return undefined;
  }

  override async removeIdleQueues(limit: number): Promise<void> {
    const scope = ROWS_OF_ALL;
    const idle = await this.unitOfWork.prepared<{ org_id: string }>(FIND_IDLE, [limit], { scope });
    if (idle.length === 0) return;
    const idsOf = (rows: readonly { org_id: string }[]): string[] => rows.map(({ org_id }) => org_id);
    await this.unitOfWork.run(
      async (tx) => {
        const found = [idsOf(idle)];
        const locked = await this.unitOfWork.prepared<{ org_id: string }>(LOCK_IDLE, found, { tx, scope });
        // what became due before the lock is seen by these statements
        await this.unitOfWork.prepared(REMOVE_IDLE_QUEUES, [idsOf(locked)], { tx, scope });
        await this.unitOfWork.prepared(REMOVE_IDLE_ORGS, [idsOf(locked)], { tx, scope });
      },
      { scope },
    );
  }

  override async begin({ setUid, attempt, unfinished }: NewClaim): Promise<void> {
    const values = [setUid, attempt, unfinished];
    const begun = await this.unitOfWork.prepared(BEGIN, values, { scope: ROWS_OF_ALL });
    if (begun.length === 0) throw leaseLost();
  }

  override async takeBack({ setUid, attempt, unfinished }: NewClaim): Promise<void> {
    await this.unitOfWork.prepared(TAKE_BACK, [setUid, attempt, unfinished], { scope: ROWS_OF_ALL });
  }

  override async renew({ setUid, attempt }: Claim, leaseMs: number): Promise<boolean> {
    const renewed = await this.unitOfWork.prepared(RENEW, [setUid, attempt, leaseMs], { scope: ROWS_OF_ALL });
    return renewed.length === 1;
  }

  override async fence({ setUid, attempt }: Claim, tx: Transaction): Promise<void> {
    const held = await this.unitOfWork.prepared(FENCE, [setUid, attempt], { tx, scope: ROWS_OF_ALL });
    if (held.length === 0) throw leaseLost();
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

  private tryClaim(
    statement: PreparedStatement,
    leaseMs: number,
    { exceptOrgs = [], exceptModels = [], weightOf = () => 1 }: ClaimOptions,
  ): Promise<NewClaim | undefined> {
    const scope = ROWS_OF_ALL;
    return this.unitOfWork.run(
      async (tx) => {
        const inTx = { tx, scope };
        const values = [leaseMs, exceptOrgs, exceptModels];
        const [row] = await this.unitOfWork.prepared<ClaimRow>(statement, values, inTx);
        if (!row) return undefined;
        const { set_uid, org_id, project_uid, llm_name, unfinished } = row;
        const causes = await this.unitOfWork.prepared<{ traceparent: string }>(TAKE_UP, [set_uid], inTx);
        // last: other claims of the organization wait for it until the commit
        const turn = [org_id, project_uid, llm_name, 1 / weightOf(org_id)];
        await this.unitOfWork.prepared(TAKE_TURN, turn, inTx);
        const traces = causes.map(({ traceparent }) => traceparent);
        const llmName = llm_name === '' ? undefined : llm_name;
        return { ...toClaim(row), causes: traces, llmName, unfinished };
      },
      { scope },
    );
  }
}

const leaseLost = (): Error =>
  conflict('lease_lost', 'Another worker has taken this set over; leave it to that one.');

const toClaim = (row: ClaimRow): Claim => ({
  setUid: row.set_uid,
  attempt: row.attempt,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
});
