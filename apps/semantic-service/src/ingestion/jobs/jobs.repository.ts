import { type RowOf, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { conflict } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { type Triggers } from '../backlog/backlog.js';
import { type Claim, type NewClaim, type PassEnd } from './job.js';
import { BEGIN_PASS } from './begin-pass.sql.js';
import { FENCE_CLAIM } from './fence-claim.sql.js';
import { FIND_IDLE_ORGS } from './find-idle-orgs.sql.js';
import { IS_ANY_DUE } from './is-any-due.sql.js';
import { JobEntity } from './job.entity.js';
import { LOCK_IDLE_ORGS } from './lock-idle-orgs.sql.js';
import { RELEASE_CLAIM } from './release-claim.sql.js';
import { REMOVE_IDLE_ORGS } from './remove-idle-orgs.sql.js';
import { REMOVE_IDLE_QUEUES } from './remove-idle-queues.sql.js';
import { RENEW_CLAIM } from './renew-claim.sql.js';
import { END_CATEGORY_PAUSES, END_MESSAGE_PAUSES, RESUME_SETS } from './resume-sets.sql.js';
import { IS_ANY_DUE_SOON, IS_ANY_RIPE, SCHEDULE_SETS } from './schedule-sets.sql.js';
import { TAKE_BACK_PASS } from './take-back-pass.sql.js';
import { TAKE_TURN } from './take-turn.sql.js';
import { NEXT_TRACES, TAKE_UP_MESSAGES, TAKEN_UP_AT_ONCE } from './take-up-messages.sql.js';
import { CHARGE_PASS } from './charge-pass.sql.js';
import { claimSet } from './claim-set.sql.js';

export interface Schedule {
  readonly triggers: Triggers;
  /** Language models that may be asked; sets that wait for another one stay as they are. */
  readonly readyModels: readonly string[];
  /** Orders older than this are taken for lost; absent = none is. */
  readonly lostAfterMs?: number | undefined;
  /** Sets that the process itself works on: late with their leases, they are not lost. */
  readonly underWay: readonly string[];
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

type ClaimRow = RowOf<ReturnType<typeof claimSet>['row']>;

/** What a claim moves its organization back at once: less time no pass takes. The rest is known when it has ended. */
const LEAST_SECONDS = 0.05;

/** One job per set: who works on it, or when it is due. Any number of replicas may use it at once. */
@Injectable()
export class JobsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Makes sets due whose time has come: by age or number of messages, a back-off that is over, a model that is ready, a worker that is gone.
   * @returns their uids: the work messages belong to this transaction
   */
  async schedule(schedule: Schedule, tx: Transaction): Promise<string[]> {
    const values = [...conditionsOf(schedule), schedule.limit];
    const rows = await this.unitOfWork.execute(SCHEDULE_SETS, values, { tx, scope: ROWS_OF_ALL });
    return rows.map(({ set_uid }) => set_uid);
  }

  /** Whether `schedule` would make any set due: one statement, where that one takes a transaction. */
  async isAnyRipe(schedule: Schedule): Promise<boolean> {
    const [row] = await this.unitOfWork.execute(IS_ANY_RIPE, conditionsOf(schedule), { scope: ROWS_OF_ALL });
    return row?.is_any === true;
  }

  /** Whether the clock makes any set due within a while, or any is due or worked on. */
  async isAnyDueSoon({ ageSeconds }: Pick<Triggers, 'ageSeconds'>, withinMs: number): Promise<boolean> {
    const values = [ageSeconds * 1000, withinMs];
    const [row] = await this.unitOfWork.execute(IS_ANY_DUE_SOON, values, { scope: ROWS_OF_ALL });
    return row?.is_any === true;
  }

  /**
   * Takes a due set of the organization whose turn it is, and of its project and model whose turn it is there, and takes up
   * fresh messages of the set. That a pass begins is noted with it, unless the set has unfinished ones.
   */
  async claim(leaseMs: number, options: ClaimOptions = {}): Promise<NewClaim | undefined> {
    if (!(await this.isAnyDue())) return undefined;
    // first among those that no other transaction has locked, then waiting for one that intake has
    for (const isWaiting of [false, true]) {
      const claim = await this.tryClaim(claimSet(isWaiting), leaseMs, options);
      if (claim) return claim;
    }
    return undefined;
  }

  /** Moves the organization of a claim back by what the pass took, so that organizations share the time of workers. */
  async charge({ orgId, weight }: Pick<NewClaim, 'orgId' | 'weight'>, seconds: number): Promise<void> {
    const rest = Math.max(0, seconds - LEAST_SECONDS) / weight;
    await this.unitOfWork.execute(CHARGE_PASS, [orgId, rest], { scope: ROWS_OF_ALL });
  }

  /** Forgets the turns of those that have nothing due, at most of so many organizations. */
  async removeIdleQueues(limit: number): Promise<void> {
    const scope = ROWS_OF_ALL;
    const idle = await this.unitOfWork.execute(FIND_IDLE_ORGS, [limit], { scope });
    if (idle.length === 0) return;
    const idsOf = (rows: readonly { org_id: string }[]): string[] => rows.map(({ org_id }) => org_id);
    await this.unitOfWork.run(
      async (tx) => {
        const found = [idsOf(idle)];
        const locked = await this.unitOfWork.execute(LOCK_IDLE_ORGS, found, { tx, scope });
        // what became due before the lock is seen by these statements
        await this.unitOfWork.execute(REMOVE_IDLE_QUEUES, [idsOf(locked)], { tx, scope });
        await this.unitOfWork.execute(REMOVE_IDLE_ORGS, [idsOf(locked)], { tx, scope });
      },
      { scope },
    );
  }

  /** Notes that a pass begins over a set that has unfinished ones. @throws AppError `lease_lost` */
  async begin({ setUid, attempt }: Claim): Promise<void> {
    const begun = await this.unitOfWork.execute(BEGIN_PASS, [setUid, attempt], { scope: ROWS_OF_ALL });
    if (begun.length === 0) throw leaseLost();
  }

  /** The pass of this claim is not counted as unfinished. A claim that another one has followed changes nothing. */
  async takeBack({ setUid, attempt, unfinished }: NewClaim): Promise<void> {
    await this.unitOfWork.execute(TAKE_BACK_PASS, [setUid, attempt, unfinished], { scope: ROWS_OF_ALL });
  }

  /** @returns false when the claim is lost */
  async renew({ setUid, attempt }: Claim, leaseMs: number): Promise<boolean> {
    const renewed = await this.unitOfWork.execute(RENEW_CLAIM, [setUid, attempt, leaseMs], {
      scope: ROWS_OF_ALL,
    });
    return renewed.length === 1;
  }

  /** Keeps the claim from being lost until the transaction ends. @throws AppError `lease_lost` */
  async fence({ setUid, attempt }: Claim, tx: Transaction): Promise<void> {
    const current = await this.unitOfWork.execute(FENCE_CLAIM, [setUid, attempt], { tx, scope: ROWS_OF_ALL });
    if (current.length === 0) throw leaseLost();
  }

  /**
   * Lets go of the set. A claim that is lost changes nothing.
   * @param next how many messages make it due, and how many more there must be this time
   * @returns whether the set is due again: the work message belongs to this transaction
   */
  async release(
    { setUid, attempt }: Claim,
    end: PassEnd,
    { messages, putOff }: { readonly messages: number; readonly putOff: number },
    tx: Transaction,
  ): Promise<boolean> {
    const waits = end.kind === 'retrying' || end.kind === 'blocked';
    const [why, afterMs] = waits ? [[end.code, end.reason], end.afterMs] : [[null, null], 0];
    const rows = await this.unitOfWork.execute(
      RELEASE_CLAIM,
      [setUid, attempt, end.kind, messages, afterMs, ...why, putOff],
      { tx, scope: ROWS_OF_ALL },
    );
    return rows[0]?.state === 'due';
  }

  /** Whether any set can be claimed now. */
  async isAnyDue(): Promise<boolean> {
    const [row] = await this.unitOfWork.execute(IS_ANY_DUE, [], { scope: ROWS_OF_ALL });
    return row?.is_any === true;
  }

  /** What is blocked is tried again at once: what it waited for may be there. */
  async unblock(): Promise<void> {
    const waiting = { state: 'blocked', runAfter: Raw((runAfter) => `${runAfter} > now()`) };
    await this.unitOfWork.single(
      (manager) => manager.update(JobEntity, waiting, { runAfter: () => 'now()' }),
      ROWS_OF_ALL,
    );
  }

  /** Sets that wait because one of these models was out are tried again at once. @param llmNames the empty one for the default */
  async resume(llmNames: readonly string[]): Promise<void> {
    for (const statement of [END_CATEGORY_PAUSES, END_MESSAGE_PAUSES, RESUME_SETS]) {
      await this.unitOfWork.execute(statement, [llmNames], { scope: ROWS_OF_ALL });
    }
  }

  private tryClaim(
    statement: ReturnType<typeof claimSet>,
    leaseMs: number,
    { exceptOrgs = [], exceptModels = [], weightOf = () => 1 }: ClaimOptions,
  ): Promise<NewClaim | undefined> {
    const scope = ROWS_OF_ALL;
    return this.unitOfWork.run(
      async (tx) => {
        const inTx = { tx, scope };
        const values = [leaseMs, exceptOrgs, exceptModels];
        const [row] = await this.unitOfWork.execute(statement, values, inTx);
        if (!row) return undefined;
        const { set_uid, org_id, project_uid, llm_name, unfinished, put_off: putOff, fresh } = row;
        const causes = await (fresh > 0
          ? this.unitOfWork.execute(TAKE_UP_MESSAGES, [set_uid, TAKEN_UP_AT_ONCE], inTx)
          : this.unitOfWork.execute(NEXT_TRACES, [set_uid], inTx));
        // last: other claims of the organization wait for it until the commit
        const weight = weightOf(org_id);
        const turn = [org_id, project_uid, llm_name, LEAST_SECONDS / weight];
        await this.unitOfWork.execute(TAKE_TURN, turn, inTx);
        const traces = causes.map(({ traceparent }) => traceparent);
        const llmName = llm_name === '' ? undefined : llm_name;
        return { ...toClaim(row), causes: traces, llmName, unfinished, isPutOff: putOff > 0, weight };
      },
      { scope },
    );
  }
}

const conditionsOf = ({ triggers, readyModels, lostAfterMs, underWay }: Schedule): unknown[] => [
  triggers.ageSeconds * 1000,
  triggers.messages,
  lostAfterMs ?? null,
  readyModels,
  underWay,
];

const leaseLost = (): Error =>
  conflict('lease_lost', 'Another worker has taken this set over; leave it to that one.');

const toClaim = (row: ClaimRow): Claim => ({
  setUid: row.set_uid,
  attempt: row.attempt,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
});
