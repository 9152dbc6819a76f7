import { AppError, type MemoryConfiguration } from '@loci/contracts';
import { type Embedder } from '@loci/models';
import { type EmbeddedEmbedder, type Registry } from '@loci/registry';
import { type OnApplicationBootstrap } from '@nestjs/common';
import { Patience } from './patience.js';

/** The embedder that comes with Loci needs neither a provider nor the registry. */
export const LOCAL_EMBEDDER = 'local';

/** A request does not wait longer than this for an embedder: it answers by words instead. */
const PATIENCE_MS = 3_000;

/** Nor for what an embedder is, for which its provider may be asked: the owners of others may wait for that, too. */
const FIRST_USE_MS = 1_000;

/** The embedders of the registry; the embedded one is there also before config-service has answered. */
export class Embedders implements OnApplicationBootstrap {
  private readonly patience = new Patience(PATIENCE_MS);
  /** Of rows that searches index. */
  private readonly patienceForRows = new Patience(PATIENCE_MS);
  private readonly firstUse = new Patience(FIRST_USE_MS);

  /** @param defaultOf the name that the memory configuration has for owners that chose none */
  constructor(
    private readonly registry: Pick<Registry, 'memory' | 'embedder'>,
    private readonly embedded: Pick<EmbeddedEmbedder, 'get'>,
    private readonly defaultOf: (memory: MemoryConfiguration) => string,
  ) {}

  /** The first search does not wait until the embedded one is loaded. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.defaultName === LOCAL_EMBEDDER) await this.embedded.get();
  }

  /** Of owners that chose none. */
  get defaultName(): string {
    try {
      return this.defaultOf(this.registry.memory) || LOCAL_EMBEDDER;
    } catch (error) {
      if (isUnknownYet(error)) return LOCAL_EMBEDDER;
      throw error;
    }
  }

  /** @throws AppError `resource_not_ready`, `registry_unavailable`, `embedder_unavailable` */
  async named(name: string): Promise<Embedder> {
    try {
      return await this.registry.embedder(name);
    } catch (error) {
      if (name === LOCAL_EMBEDDER && isUnknownYet(error)) return this.embedded.get();
      throw error;
    }
  }

  /**
   * As `named`, where a request waits: the first use of an embedder may ask its provider for its dimensions.
   * @throws AppError also `embedder_unavailable` when that takes too long; the embedder goes on being made
   */
  namedSoon(name: string): Promise<Embedder> {
    return this.firstUse.waitFor(name, () => this.named(name));
  }

  /**
   * Does work with an embedder that a request waits for.
   * @param work gets what is aborted when the request does not wait for it any more
   * @throws AppError `embedder_unavailable` when it takes too long, or did for the requests before; what the work throws
   */
  waitFor<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.patience.waitFor(name, work);
  }

  /**
   * As `waitFor`, of rows that a search indexes. They come behind all queries: that they take long says nothing of those, and of
   * the embedded one only how much others want indexed.
   */
  waitForRows<T>(name: string, work: (signal?: AbortSignal) => Promise<T>): Promise<T> {
    return name === LOCAL_EMBEDDER ? work() : this.patienceForRows.waitFor(name, work);
  }
}

const OUTAGES: ReadonlySet<string> = new Set([
  'resource_not_ready',
  'registry_unavailable',
  'embedder_unavailable',
]);

/** Whether an embedder could not be had: nothing is wrong with what was asked of it. */
export const isEmbedderOutage = (error: unknown): boolean =>
  error instanceof AppError && OUTAGES.has(error.code);

const isUnknownYet = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'registry_unavailable';
