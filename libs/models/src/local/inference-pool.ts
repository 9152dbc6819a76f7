import { type EmbeddingBatch } from './embedding-batch.js';
import { type EmbeddingQueue } from './embedding-queue.js';
import { type InferenceThread } from './inference-thread.js';

/** Threads that work through one queue. One that dies fails the batch it was at, and is replaced. */
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
    for (let slice = await this.queue.take(); slice; slice = await this.queue.take()) {
      if (thread.hasEnded) thread = this.#replace(thread);
      try {
        slice.batch.fill(slice, await thread.request(slice.texts));
      } catch (error) {
        this.#fail(slice.batch, error);
      }
    }
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
