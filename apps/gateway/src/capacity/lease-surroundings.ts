import { type AnswerSizes } from './answer-sizes.js';
import { type CapacityMetrics } from './capacity-metrics.js';
import { type FairQueue } from './fair-queue.js';
import { type Shares } from './shares.js';

/** What leases take of, and the limits that they keep to. */
export interface LeaseSurroundings {
  readonly queue: FairQueue;
  readonly receiving: Shares<'uploads' | 'bytes'>;
  readonly metrics: CapacityMetrics;
  readonly answers: AnswerSizes;
  readonly route: string;
  /** The most that one operation takes of them. */
  readonly maxSlots: number;
  readonly maxWaitMs: number;
  /** Throws when the owner may not have its turn any more. */
  readonly confirm: (() => Promise<void>) | undefined;
}
