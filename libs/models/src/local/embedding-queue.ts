import { unavailable } from '@loci/contracts';
import { type EmbedPriority } from '../embedder.js';
import { type EmbeddingBatch, type Slice } from './embedding-batch.js';

export interface QueueLimits {
  /** Texts that may wait, per priority; a call that would exceed it is refused as a whole. */
  readonly maxWaitingTexts: Readonly<Record<EmbedPriority, number>>;
  /** Texts in one slice: what a query may have to wait for. */
  readonly maxSliceTexts: number;
  /** Characters in one slice of several texts. */
  readonly maxSliceCharacters: number;
}

/**
 * Work for the threads, in slices: all queries before all index work. Queries of several organizations take turns; otherwise
 * first come, first served.
 */
export class EmbeddingQueue {
  readonly #batches: Record<EmbedPriority, EmbeddingBatch[]> = { query: [], index: [] };
  readonly #idle: ((slice: Slice | undefined) => void)[] = [];
  /** Of the organizations whose queries wait, who had how many slices; forgotten when none waits. */
  readonly #served = new Map<string | undefined, number>();
  #closed = false;

  constructor(private readonly limits: QueueLimits) {}

  /** @throws AppError `embedder_unavailable` when too many texts wait already, or the queue is closed */
  add(batch: EmbeddingBatch): void {
    if (this.#closed) throw closedError();
    const queued = this.#batches[batch.priority];
    const waiting = queued.reduce((sum, { waiting }) => sum + waiting, 0);
    if (waiting + batch.waiting > this.limits.maxWaitingTexts[batch.priority]) {
      throw unavailable('embedder_unavailable', 'The embedder is overloaded; try again in a moment.', {
        retryAfterSeconds: 1,
      });
    }
    queued.push(batch);
    while (this.#idle.length > 0) {
      const slice = this.#next();
      if (!slice) return;
      this.#idle.shift()?.(slice);
    }
  }

  /** The most urgent slice, as soon as there is one; undefined once the queue is closed. */
  async take(): Promise<Slice | undefined> {
    if (this.#closed) return undefined;
    return this.#next() ?? (await new Promise((resolve) => this.#idle.push(resolve)));
  }

  /** Nothing more of this batch is handed out. */
  remove(batch: EmbeddingBatch): void {
    const queued = this.#batches[batch.priority];
    const index = queued.indexOf(batch);
    if (index >= 0) queued.splice(index, 1);
  }

  /** Refuses what waits and all that comes. */
  close(): void {
    this.#closed = true;
    for (const queued of Object.values(this.#batches)) {
      for (const batch of queued.splice(0)) batch.fail(closedError());
    }
    for (const idle of this.#idle.splice(0)) idle(undefined);
  }

  #next(): Slice | undefined {
    const batch = this.#nextQuery() ?? this.#batches.index[0];
    if (!batch) return undefined;
    const slice = batch.takeSlice(this.limits.maxSliceTexts, this.limits.maxSliceCharacters);
    if (batch.waiting === 0) this.remove(batch);
    return slice;
  }

  /** The first query of the organization that was served least. */
  #nextQuery(): EmbeddingBatch | undefined {
    const queries = this.#batches.query;
    const least = queries.reduce<EmbeddingBatch | undefined>(
      (best, one) => (best && this.#servedTo(best) <= this.#servedTo(one) ? best : one),
      undefined,
    );
    if (!least || queries.length === 1) this.#served.clear();
    else this.#served.set(least.orgId, this.#servedTo(least) + 1);
    return least;
  }

  #servedTo({ orgId }: EmbeddingBatch): number {
    return this.#served.get(orgId) ?? 0;
  }
}

const closedError = (): Error => unavailable('embedder_unavailable', 'The embedder is shutting down.');
