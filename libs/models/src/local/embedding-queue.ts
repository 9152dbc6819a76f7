import { unavailable } from '@loci/contracts';
import { type EmbedPriority } from '../embedder.js';
import { type EmbeddingBatch, type Slice } from './embedding-batch.js';

export interface QueueLimits {
  /** Texts that may wait, per priority; a call that would exceed it is refused as a whole. */
  readonly maxWaitingTexts: Readonly<Record<EmbedPriority, number>>;
  /** Texts that a thread is given at once: what a query may have to wait for. */
  readonly maxSliceTexts: number;
  /** Characters of several texts that a thread is given at once. */
  readonly maxSliceCharacters: number;
}

/**
 * Work for the threads, in slices: all queries before all index work, those that wait together, so that a thread is not
 * told of each on its own. Queries of several organizations take turns, and so do pieces of index work, slice by slice: who has few
 * texts does not wait for all of those who have many. Otherwise first come, first served.
 */
export class EmbeddingQueue {
  readonly #batches: Record<EmbedPriority, EmbeddingBatch[]> = { query: [], index: [] };
  readonly #idle: ((slices: readonly Slice[] | undefined) => void)[] = [];
  /** Of the organizations whose queries wait, who had how many slices; forgotten when none waits. */
  readonly #served = new Map<string | undefined, number>();
  #closed = false;

  constructor(private readonly limits: QueueLimits) {}

  get isClosed(): boolean {
    return this.#closed;
  }

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
      const slices = this.#next();
      if (slices.length === 0) return;
      this.#idle.shift()?.(slices);
    }
  }

  /** The most urgent slices for one thread, as soon as there is one; undefined once the queue is closed. */
  async take(): Promise<readonly Slice[] | undefined> {
    if (this.#closed) return undefined;
    const slices = this.#next();
    return slices.length > 0 ? slices : new Promise((resolve) => this.#idle.push(resolve));
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

  /** Queries that wait, as many as fit together; index work only when no query waits. */
  #next(): Slice[] {
    const { maxSliceTexts, maxSliceCharacters } = this.limits;
    const slices: Slice[] = [];
    const room = { texts: maxSliceTexts, characters: maxSliceCharacters };
    for (let query = this.#nextQuery(); query && fits(query, room, slices); query = this.#nextQuery()) {
      if (this.#batches.query.length === 1) this.#served.clear();
      else this.#served.set(query.orgId, this.#servedTo(query) + 1);
      const slice = this.#takeFrom(query, room);
      slices.push(slice);
      room.texts -= slice.texts.length;
      room.characters -= charactersOf(slice);
    }
    return slices.length === 0 ? this.#nextWork(room) : slices;
  }

  #nextWork(room: Room): Slice[] {
    const { index } = this.#batches;
    const [work] = index;
    if (!work) return [];
    const slice = this.#takeFrom(work, room);
    if (work.waiting > 0) index.push(...index.splice(0, 1));
    return [slice];
  }

  #takeFrom(batch: EmbeddingBatch, { texts, characters }: Room): Slice {
    const slice = batch.takeSlice(texts, characters);
    if (batch.waiting === 0) this.remove(batch);
    return slice;
  }

  /** The first query of the organization that was served least. */
  #nextQuery(): EmbeddingBatch | undefined {
    return this.#batches.query.reduce<EmbeddingBatch | undefined>(
      (best, one) => (best && this.#servedTo(best) <= this.#servedTo(one) ? best : one),
      undefined,
    );
  }

  #servedTo({ orgId }: EmbeddingBatch): number {
    return this.#served.get(orgId) ?? 0;
  }
}

interface Room {
  readonly texts: number;
  readonly characters: number;
}

/** Whether a query can go together with these; the first can always. */
const fits = (query: EmbeddingBatch, room: Room, together: readonly Slice[]): boolean =>
  together.length === 0 || (room.texts > 0 && query.nextCharacters <= room.characters);

const charactersOf = ({ texts }: Slice): number => texts.reduce((sum, { length }) => sum + length, 0);

const closedError = (): Error => unavailable('embedder_unavailable', 'The embedder is shutting down.');
