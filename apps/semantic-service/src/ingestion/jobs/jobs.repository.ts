import { type Transaction } from '@loci/persistence';
import { type Triggers } from '../intake/backlog.js';
import { type Claim, type NewClaim, type PassEnd } from './job.js';

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

/** One job per set: who works on it, or when somebody will. Any number of replicas may use it at once. */
export abstract class JobsRepository {
  /**
   * Makes sets due whose time has come: by age or number of messages, a back-off that is over, a worker that is gone.
   * @returns their uids: the orders belong to this transaction
   */
  abstract schedule(schedule: Schedule, tx: Transaction): Promise<string[]>;

  /**
   * Takes a due set of the organization whose turn it is, and of its project and model whose turn it is there, and takes up
   * the fresh messages of the set. That a pass begins is noted with it, unless the set has unfinished ones.
   */
  abstract claim(leaseMs: number, options?: ClaimOptions): Promise<NewClaim | undefined>;

  /** Forgets the turns of those that have nothing due, at most of so many organizations. */
  abstract removeIdleQueues(limit: number): Promise<void>;

  /** Notes that a pass begins over a set that has unfinished ones. @throws AppError `lease_lost` */
  abstract begin(claim: NewClaim): Promise<void>;

  /** The pass of this claim is not counted as unfinished. A claim that another one has followed changes nothing. */
  abstract takeBack(claim: NewClaim): Promise<void>;

  /** @returns false when the claim is lost */
  abstract renew(claim: Claim, leaseMs: number): Promise<boolean>;

  /** Keeps the claim from being lost until the transaction ends. @throws AppError `lease_lost` */
  abstract fence(claim: Claim, tx: Transaction): Promise<void>;

  /**
   * Lets go of the set. A claim that is lost changes nothing.
   * @returns whether the set is due again: the order belongs to this transaction
   */
  abstract release(claim: Claim, end: PassEnd, triggers: Triggers, tx: Transaction): Promise<boolean>;

  /** What is blocked is tried again at once: what it waited for may be there. */
  abstract unblock(): Promise<void>;
}
