import { unavailable } from '@loci/contracts';
import { type EmbedPriority } from '../embedder.js';
import { type EmbeddingBatch, type Slice } from './embedding-batch.js';

export interface QueueLimits {
  /** Texts that may wait, per priority; a call that would exceed it is refused as a whole. */
  readonly maxWaitingTexts: Readonly<Record<EmbedPriority, number>>;
  /** What a thread is given at once, per priority: what a query may have to wait for. */
  readonly slice: Readonly<Record<EmbedPriority, Room>>;
}

interface Room {
  readonly texts: number;
  /** Of several texts. */
  readonly characters: number;
}

/** Slices of queries behind which one of what searches index comes, so that it is not kept waiting for ever. */
const QUERIES_IN_A_ROW = 4;

/**
 * Work for the threads, in slices: queries before what searches index, and both before all index work. Queries that wait go
 * together, so that a thread is not told of each on its own. Those of several organizations take turns, and so does what their
 * searches index, and so do pieces of index work, slice by slice: who has few texts does not wait for all of those who have
 * many. Otherwise first come, first served.
 */
export class EmbeddingQueue {
  readonly #batches: Record<EmbedPriority, EmbeddingBatch[]> = { query: [], unindexed: [], index: [] };
  readonly #idle: ((slices: readonly Slice[] | undefined) => void)[] = [];
  /** Of the organizations that wait, who had how many slices; forgotten when none waits. */
  readonly #served = {
    query: new Map<string | undefined, number>(),
    unindexed: new Map<string | undefined, number>(),
  };
  #queriesInARow = 0;
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

  #next(): Slice[] {
    const isOthersTurn = this.#queriesInARow >= QUERIES_IN_A_ROW && this.#batches.unindexed.length > 0;
    const queries = isOthersTurn ? [] : this.#nextQueries();
    this.#queriesInARow = queries.length > 0 ? this.#queriesInARow + 1 : 0;
    if (queries.length > 0) return queries;
    const unindexed = this.#first('unindexed');
    return unindexed
      ? [this.#serve('unindexed', unindexed, this.limits.slice.unindexed)]
      : this.#nextWork(this.limits.slice.index);
  }

  /** Those that wait, as many as fit together. */
  #nextQueries(): Slice[] {
    const slices: Slice[] = [];
    let room = this.limits.slice.query;
    for (let query = this.#first('query'); query && fits(query, room, slices); query = this.#first('query')) {
      const slice = this.#serve('query', query, room);
      slices.push(slice);
      room = { texts: room.texts - slice.texts.length, characters: room.characters - charactersOf(slice) };
    }
    return slices;
  }

  #nextWork(room: Room): Slice[] {
    const { index } = this.#batches;
    const [work] = index;
    if (!work) return [];
    const slice = this.#takeFrom(work, room);
    if (work.waiting > 0) index.push(...index.splice(0, 1));
    return [slice];
  }

  #serve(priority: Urgent, batch: EmbeddingBatch, room: Room): Slice {
    if (this.#batches[priority].length === 1) this.#served[priority].clear();
    else this.#served[priority].set(batch.orgId, this.#servedTo(batch) + 1);
    return this.#takeFrom(batch, room);
  }

  #takeFrom(batch: EmbeddingBatch, { texts, characters }: Room): Slice {
    const slice = batch.takeSlice(texts, characters);
    if (batch.waiting === 0) this.remove(batch);
    return slice;
  }

  /** The first of the organization that was served least. */
  #first(priority: Urgent): EmbeddingBatch | undefined {
    return this.#batches[priority].reduce<EmbeddingBatch | undefined>(
      (best, one) => (best && this.#servedTo(best) <= this.#servedTo(one) ? best : one),
      undefined,
    );
  }

  #servedTo({ priority, orgId }: EmbeddingBatch): number {
    return priority === 'index' ? 0 : (this.#served[priority].get(orgId) ?? 0);
  }
}

type Urgent = Exclude<EmbedPriority, 'index'>;

/** Whether a query can go together with these; the first can always. */
const fits = (query: EmbeddingBatch, room: Room, together: readonly Slice[]): boolean =>
  together.length === 0 || (room.texts > 0 && query.nextCharacters <= room.characters);

const charactersOf = ({ texts }: Slice): number => texts.reduce((sum, { length }) => sum + length, 0);

const closedError = (): Error => unavailable('embedder_unavailable', 'The embedder is shutting down.');
