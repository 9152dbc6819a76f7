import { type EmbeddingBatch, type Slice } from './embedding-batch.js';
import { type EmbeddingQueue } from './embedding-queue.js';
import { type InferenceThread } from './inference-thread.js';

/**
 * Threads that work through one queue. One that dies fails the batch it was at, and is replaced; of several that it was given
 * together, each is tried alone, so that none fails for another.
 */
export class InferencePool {
  readonly #threads = new Set<InferenceThread>();
  #serving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly queue: EmbeddingQueue,
    private readonly spawn: () => InferenceThread,
  ) {}

  /** Waits until every thread has loaded its model, then begins to work. */
  async start(size: number): Promise<void> {
    const threads = Array.from({ length: size }, () => this.#launch());
    try {
      await Promise.all(threads.map((thread) => thread.ready));
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#serving = Promise.all(threads.map((thread) => this.#serve(thread)));
  }

  async run(batch: EmbeddingBatch, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    this.queue.add(batch);
    const giveUp = (): void => {
      this.#fail(batch, signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await batch.vectors;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  async close(): Promise<void> {
    this.queue.close();
    await Promise.all(Array.from(this.#threads, (thread) => thread.terminate()));
    await this.#serving;
  }

  async #serve(firstThread: InferenceThread): Promise<void> {
    let thread = firstThread;
    const embed = async (slices: readonly Slice[]): Promise<void> => {
      if (thread.hasEnded) thread = this.#replace(thread);
      try {
        fillAll(slices, await thread.request(slices.flatMap(({ texts }) => texts)));
      } catch (error) {
        if (slices.length === 1 || this.queue.isClosed) {
          for (const { batch } of slices) this.#fail(batch, error);
        } else for (const slice of slices) await embed([slice]);
      }
    };
    for (let slices = await this.queue.take(); slices; slices = await this.queue.take()) await embed(slices);
  }

  #launch(): InferenceThread {
    const thread = this.spawn();
    this.#threads.add(thread);
    return thread;
  }

  #replace(dead: InferenceThread): InferenceThread {
    this.#threads.delete(dead);
    return this.#launch();
  }

  #fail(batch: EmbeddingBatch, reason: unknown): void {
    this.queue.remove(batch);
    batch.fail(reason);
  }
}

/** @param flat the vectors of all slices, one behind the other */
function fillAll(slices: readonly Slice[], flat: Float32Array): void {
  const dimensions = flat.length / slices.reduce((sum, { texts }) => sum + texts.length, 0);
  let filled = 0;
  for (const slice of slices) {
    const end = filled + slice.texts.length * dimensions;
    slice.batch.fill(slice, flat.subarray(filled, end));
    filled = end;
  }
}
