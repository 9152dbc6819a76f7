import { type Metrics } from '@loci/platform';
import { AnswerSizes } from './answer-sizes.js';
import { CapacityMetrics } from './capacity-metrics.js';
import { FairQueue, type FairQueueOptions } from './fair-queue.js';
import { Lease } from './lease.js';
import { type Owner, Shares } from './shares.js';

export interface CapacityOptions extends FairQueueOptions {
  /** Bodies that may be on their way at the same time. */
  readonly uploads: number;
  /** Bytes of bodies that are on their way, or wait until they are worked on. */
  readonly receivingBytes: number;
  /** How long a request may wait for its turn. */
  readonly maxWaitMs: number;
  /** How long it may when its key was looked up: keys that a gateway does not know come in crowds, let in all at once. */
  readonly maxNewcomerWaitMs: number;
}

export interface LeaseOptions {
  /** What is asked for: its answers are about as large as those before. */
  readonly route?: string | undefined;
  /** Whether the key of the request was looked up for it. */
  readonly isNewcomer?: boolean | undefined;
  /** Called with each turn; throws when the owner may not have it any more. */
  readonly confirm?: (() => Promise<void>) | undefined;
}

/** What a gateway has for requests: turns in a fair queue, memory, and bodies that it receives at the same time. */
export class Capacity {
  private readonly queue: FairQueue;
  private readonly receiving: Shares<'uploads' | 'bytes'>;
  private readonly metrics: CapacityMetrics;
  private readonly answers = new AnswerSizes();

  constructor(
    private readonly options: CapacityOptions,
    metrics: Metrics,
  ) {
    const { uploads, receivingBytes, shares } = options;
    this.queue = new FairQueue(options);
    this.receiving = new Shares({ total: { uploads, bytes: receivingBytes }, ...shares });
    this.metrics = new CapacityMetrics(metrics, () => ({
      inFlight: this.queue.used.slots,
      waiting: this.queue.used.waiting,
      handlingBytes: this.queue.used.bytes,
      uploads: this.receiving.used.uploads,
      receivingBytes: this.receiving.used.bytes,
    }));
  }

  /** What one request takes, of the share of its owner; nothing yet. */
  lease(owner: Owner, { route = '', isNewcomer = false, confirm }: LeaseOptions = {}): Lease {
    const { queue, receiving, metrics, answers } = this;
    const { slots, shares } = this.options;
    const maxWaitMs = isNewcomer ? this.options.maxNewcomerWaitMs : this.options.maxWaitMs;
    const maxSlots = Math.max(1, Math.floor(slots * Math.min(shares.organization, shares.key)));
    const surroundings = { queue, receiving, metrics, answers, route, maxSlots, maxWaitMs, confirm };
    return new Lease(owner, surroundings);
  }
}
