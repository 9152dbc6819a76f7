import { Flows } from './flows.js';
import { type Level, type Owner, type ShareOptions, Shares } from './shares.js';

/** What an operation needs while it runs. */
export interface Demand {
  /** One, and more for one that moves much between the gateway and services. */
  readonly slots: number;
  readonly bytes: number;
}

/** An operation that wants to run. */
export interface Job {
  readonly owner: Owner;
  readonly demand: Demand;
  /** Goes on with something that has run already: before what its own key has not begun. */
  readonly isContinued: boolean;
  readonly start: () => void;
}

export interface Ticket {
  /** Whose share it waits for; undefined when it is only behind others. */
  readonly lacking: () => Level | undefined;
  /** Takes it out of the queue; of no effect once it was started. */
  readonly cancel: () => void;
}

export interface FairQueueOptions extends Demand {
  /** Operations that may wait. */
  readonly waiting: number;
  /** How much of each one organization, and one key, may have at most, from 0 to 1. */
  readonly shares: Pick<ShareOptions<string>, 'organization' | 'key'>;
  /** How much an organization gets, compared with others, while several of them wait. */
  readonly weightOf: (org: string) => number;
}

/** What waits of one organization: a flow for each of its keys. */
type KeyFlows = Flows<Job[]>;

/**
 * Decides which operation runs next: start-time fair queueing (Goyal, Vin, Cheng 1996) over organizations, and within an
 * organization over its keys. What counts as served is the larger of the share of slots and the share of memory (dominant
 * resource fairness, Ghodsi et al. 2011). An owner whose own share is used up is passed over; who lacks the memory of the
 * process is waited for, so that the large are not starved by the small.
 * It knows no clock and calls nothing but `start`.
 */
export class FairQueue {
  private readonly running: Shares<'slots' | 'bytes'>;
  private readonly queued: Shares<'waiting'>;
  private readonly organizations = new Flows<KeyFlows>({
    begin: () => new Flows<Job[]>({ begin: () => [], isIdle: (jobs) => jobs.length === 0 }),
    isIdle: (keys) => keys.isIdle,
  });

  constructor(private readonly options: FairQueueOptions) {
    const { slots, bytes, waiting, shares } = options;
    this.running = new Shares({ total: { slots, bytes }, ...shares });
    this.queued = new Shares({ total: { waiting }, ...shares });
  }

  get used(): Readonly<Record<'slots' | 'bytes' | 'waiting', number>> {
    return { ...this.running.used, ...this.queued.used };
  }

  /**
   * Starts a job at once, or as soon as it is its turn.
   * @returns whose share of the queue is used up, when the job can neither run nor wait
   */
  offer(job: Job): Ticket | Level {
    const { owner, demand } = job;
    if (this.queued.used.waiting === 0 && this.fits(job)) {
      this.running.take(owner, demand);
      job.start();
      return STARTED;
    }
    const full = this.queued.lacking(owner, { waiting: 1 });
    const jobs = this.organizations.at(owner.org).at(owner.key);
    if (job.isContinued) jobs.splice(jobs.findLastIndex((one) => one.isContinued) + 1, 0, job);
    else jobs.push(job);
    this.queued.take(owner, { waiting: 1 });
    this.serve();
    const cancel = (): void => {
      if (this.withdraw(job)) this.serve();
    };
    if (full !== undefined && this.withdraw(job)) return full;
    // what it has itself running came first
    const lacking = (): Level | undefined =>
      this.running.lacking(owner, demand) ?? (this.running.isUsedBy(owner.key) ? 'key' : undefined);
    return { lacking, cancel };
  }

  /** Whose share is too small for more memory of something that runs. @param ownBytes what it has already */
  lackingMemory(owner: Owner, bytes: number, ownBytes: number): Level | undefined {
    return this.running.lacking(owner, { bytes }, { bytes: ownBytes });
  }

  /** Gives back what a job was given, all at once or part by part; what is negative is taken, whether or not there is enough. */
  free(owner: Owner, { slots, bytes }: Demand): void {
    this.running.take(owner, { slots: -slots, bytes: -bytes });
    this.serve();
  }

  private withdraw(job: Job): boolean {
    const jobs = this.organizations.find(job.owner.org)?.find(job.owner.key);
    const index = jobs?.indexOf(job) ?? -1;
    if (index === -1) return false;
    jobs?.splice(index, 1);
    this.queued.take(job.owner, { waiting: -1 });
    return true;
  }

  private fits({ owner, demand }: Job): boolean {
    return this.running.used.slots < this.options.slots && !this.running.lacking(owner, demand);
  }

  private serve(): void {
    if (this.queued.used.waiting === 0) return;
    while (this.running.used.slots < this.options.slots) {
      const job = this.next();
      if (!job) break;
      this.withdraw(job);
      this.count(job);
      job.start();
    }
    // none waits, so none is behind: the next one starts again
    if (this.queued.used.waiting === 0) this.organizations.clear();
  }

  /** The first in the fair sequence of those whose own share is not used up. */
  private next(): Job | undefined {
    const job = this.first(() => true);
    if (!job || !this.running.lacking(job.owner, job.demand)) return job;
    // it waits for memory of the process, which others may use until they go on
    return this.first(({ demand }) => demand.bytes === 0);
  }

  private first(isEligible: (job: Job) => boolean): Job | undefined {
    const ready = ([job]: readonly Job[]): Job | undefined =>
      job && isEligible(job) && isWithin(this.running.lacking(job.owner, job.demand)) ? job : undefined;
    return this.organizations.earliest((keys) => keys.earliest(ready));
  }

  /** Moves the turns of the owner on by what the job is served. */
  private count({ owner, demand }: Job): void {
    this.running.take(owner, demand);
    const { slots, bytes, weightOf } = this.options;
    const cost = Math.max(demand.slots, (demand.bytes * slots) / bytes);
    this.organizations.serve(owner.org, cost / weightOf(owner.org));
    this.organizations.at(owner.org).serve(owner.key, cost);
  }
}

const STARTED: Ticket = { lacking: () => undefined, cancel: () => undefined };

const isWithin = (lacking: Level | undefined): boolean => lacking === undefined || lacking === 'process';
