import { randomUUID } from 'node:crypto';
import { type AppError, rateLimited, type VerifiedApiKey } from '@loci/contracts';
import { RequestContext } from '@loci/platform';

/** Asks about secrets by their digests. @returns the keys of those that are valid */
export type AskAbout = (digests: readonly string[]) => Promise<ReadonlyMap<string, VerifiedApiKey>>;

export interface KeyLookupOptions {
  /** Digests in one request. */
  readonly batchSize: number;
  /** Requests at once. */
  readonly maxBatches: number;
  /** Digests that wait; beyond, 429. */
  readonly maxWaiting: number;
  /** How long nothing is asked after a request in which no secret was valid. */
  readonly pauseMs: number;
  /** How many more digests of one network may be asked about. */
  readonly allowance?: (network: string) => number;
  /** What callers of a network without allowance are answered. */
  readonly refusal?: (network: string) => AppError;
}

interface Lookup {
  readonly digest: string;
  readonly network: string;
  readonly answer: Promise<VerifiedApiKey | undefined>;
  readonly resolve: (key: VerifiedApiKey | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers look-ups of keys that come at the same time into few requests. Each client network gets its turn, so that one
 * that asks for many delays the others by no more than its part of a batch.
 */
export class KeyLookups {
  private readonly waiting = new Map<string, Lookup>();
  private readonly underWay = new Map<string, Lookup>();
  private batches = 0;
  private isScheduled = false;
  private pausedUntil = 0;

  constructor(
    private readonly ask: AskAbout,
    private readonly options: KeyLookupOptions,
  ) {}

  /**
   * Callers who ask for the same digest at the same time share the question.
   * @throws AppError `overloaded`, the refusal of a network without allowance, and what asking throws
   */
  find(digest: string, network: string): Promise<VerifiedApiKey | undefined> {
    const same = this.waiting.get(digest) ?? this.underWay.get(digest);
    if (same) return same.answer;
    if (this.waiting.size >= this.options.maxWaiting) throw overloaded();
    const lookup = newLookup(digest, network);
    this.waiting.set(digest, lookup);
    this.schedule();
    return lookup.answer;
  }

  /** From now on no request shares a look-up that began before. */
  askAnew(): void {
    this.underWay.clear();
  }

  private schedule(): void {
    const { maxBatches } = this.options;
    if (this.isScheduled || this.batches >= maxBatches || this.waiting.size === 0) return;
    this.isScheduled = true;
    const start = (): void => {
      this.isScheduled = false;
      // apart from the request that happens to be first: its deadline is not that of the others
      void RequestContext.run({ requestId: randomUUID() }, () => this.askBatch());
    };
    const waitMs = this.pausedUntil - performance.now();
    if (waitMs > 0) setTimeout(start, waitMs).unref();
    else setImmediate(start);
  }

  private async askBatch(): Promise<void> {
    const batch = this.takeBatch();
    if (batch.length === 0) return;
    this.batches += 1;
    this.schedule();
    try {
      const keys = await this.ask(batch.map(({ digest }) => digest));
      if (keys.size === 0) this.pausedUntil = performance.now() + this.options.pauseMs;
      for (const { digest, resolve } of batch) resolve(keys.get(digest));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    for (const lookup of batch) {
      if (this.underWay.get(lookup.digest) === lookup) this.underWay.delete(lookup.digest);
    }
    this.batches -= 1;
    this.schedule();
  }

  /** One of each network, then a second of each, and so on. Turns away networks whose allowance is used up. */
  private takeBatch(): Lookup[] {
    const { batchSize, allowance = () => Infinity, refusal = overloaded } = this.options;
    let lanes = [...this.byNetwork()].map(([network, lookups]) => ({
      lookups,
      allowed: allowance(network),
    }));
    for (const lane of lanes) {
      if (lane.allowed > 0) continue;
      for (const { digest, network, reject } of lane.lookups) {
        this.waiting.delete(digest);
        reject(refusal(network));
      }
    }
    const batch: Lookup[] = [];
    for (let turn = 0; lanes.length > 0 && batch.length < batchSize; turn += 1) {
      lanes = lanes.filter(({ lookups, allowed }) => turn < Math.min(lookups.length, allowed));
      batch.push(...lanes.flatMap(({ lookups }) => lookups[turn] ?? []).slice(0, batchSize - batch.length));
    }
    for (const lookup of batch) {
      this.waiting.delete(lookup.digest);
      this.underWay.set(lookup.digest, lookup);
    }
    return batch;
  }

  private byNetwork(): Map<string, Lookup[]> {
    const lanes = new Map<string, Lookup[]>();
    for (const lookup of this.waiting.values()) {
      const lane = lanes.get(lookup.network);
      if (lane) lane.push(lookup);
      else lanes.set(lookup.network, [lookup]);
    }
    return lanes;
  }
}

function newLookup(digest: string, network: string): Lookup {
  let resolve: Lookup['resolve'] = () => undefined;
  let reject: Lookup['reject'] = () => undefined;
  const answer = new Promise<VerifiedApiKey | undefined>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { digest, network, answer, resolve, reject };
}

const overloaded = (): AppError =>
  rateLimited('overloaded', 'Too many unknown keys at once; try again in a second.', {
    retryAfterSeconds: 1,
  });
