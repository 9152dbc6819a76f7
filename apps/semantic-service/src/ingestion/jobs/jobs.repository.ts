import { type PreparedStatement, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { conflict } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type Triggers } from '../backlog/backlog.js';
import { SCHEMA } from '../../database.js';
import { type Claim, type NewClaim, type PassEnd } from './job.js';
import { MAX_BATCH } from './retry-plan.js';
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

export interface Schedule {
  readonly triggers: Triggers;
  /** Orders older than this are taken for lost; absent = none is. */
  readonly lostAfterMs?: number | undefined;
  readonly limit: number;
}

export interface ClaimOptions {
  /** Ids of organizations that are passed over. */
  readonly exceptOrgs?: readonly string[];
  /** Sets that were configured with these models are passed over; the empty name is that of those with none. */
  readonly exceptModels?: readonly string[];
  /** How many claims an organization gets while one of weight 1 gets one. */
  readonly weightOf?: (orgId: string) => number;
}

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

/** One job per set: who works on it, or when somebody will. Any number of replicas may use it at once. */
@Injectable()
export class JobsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Makes sets due whose time has come: by age or number of messages, a back-off that is over, a worker that is gone.
   * @returns their uids: the orders belong to this transaction
   */
  async schedule({ triggers, lostAfterMs, limit }: Schedule, tx: Transaction): Promise<string[]> {
    const rows = await this.unitOfWork.prepared<{ set_uid: string }>(
      SCHEDULE,
      [triggers.ageSeconds * 1000, triggers.messages, lostAfterMs ?? null, limit],
      { tx, scope: ROWS_OF_ALL },
    );
    return rows.map(({ set_uid }) => set_uid);
  }

  /**
   * Takes a due set of the organization whose turn it is, and of its project and model whose turn it is there, and takes up
   * the fresh messages of the set. That a pass begins is noted with it, unless the set has unfinished ones.
   */
  async claim(leaseMs: number, options: ClaimOptions = {}): Promise<NewClaim | undefined> {
    for (const statement of CLAIMS) {
      const claim = await this.tryClaim(statement, leaseMs, options);
      if (claim) return claim;
    }
    return undefined;
  }

  /** Forgets the turns of those that have nothing due, at most of so many organizations. */
  async removeIdleQueues(limit: number): Promise<void> {
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

  /** Notes that a pass begins over a set that has unfinished ones. @throws AppError `lease_lost` */
  async begin({ setUid, attempt, unfinished }: NewClaim): Promise<void> {
    const values = [setUid, attempt, unfinished];
    const begun = await this.unitOfWork.prepared(BEGIN, values, { scope: ROWS_OF_ALL });
    if (begun.length === 0) throw leaseLost();
  }

  /** The pass of this claim is not counted as unfinished. A claim that another one has followed changes nothing. */
  async takeBack({ setUid, attempt, unfinished }: NewClaim): Promise<void> {
    await this.unitOfWork.prepared(TAKE_BACK, [setUid, attempt, unfinished], { scope: ROWS_OF_ALL });
  }

  /** @returns false when the claim is lost */
  async renew({ setUid, attempt }: Claim, leaseMs: number): Promise<boolean> {
    const renewed = await this.unitOfWork.prepared(RENEW, [setUid, attempt, leaseMs], { scope: ROWS_OF_ALL });
    return renewed.length === 1;
  }

  /** Keeps the claim from being lost until the transaction ends. @throws AppError `lease_lost` */
  async fence({ setUid, attempt }: Claim, tx: Transaction): Promise<void> {
    const held = await this.unitOfWork.prepared(FENCE, [setUid, attempt], { tx, scope: ROWS_OF_ALL });
    if (held.length === 0) throw leaseLost();
  }

  /**
   * Lets go of the set. A claim that is lost changes nothing.
   * @returns whether the set is due again: the order belongs to this transaction
   */
  async release(
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

  /** What is blocked is tried again at once: what it waited for may be there. */
  async unblock(): Promise<void> {
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
