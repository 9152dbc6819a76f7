import { type Metrics } from '@loci/platform';
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
}

/** What a gateway has for requests: turns in a fair queue, memory, and bodies that it receives at the same time. */
export class Capacity {
  private readonly queue: FairQueue;
  private readonly receiving: Shares<'uploads' | 'bytes'>;
  private readonly metrics: CapacityMetrics;

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

  /**
   * What one request takes, of the share of its owner; nothing yet.
   * @param confirm called with each turn; throws when the owner may not have it any more
   */
  lease(owner: Owner, confirm?: () => Promise<void>): Lease {
    const { queue, receiving, metrics, options } = this;
    return new Lease(owner, { queue, receiving, metrics, maxWaitMs: options.maxWaitMs, confirm });
  }
}
