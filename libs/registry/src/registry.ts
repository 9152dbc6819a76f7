import { setTimeout as sleep } from 'node:timers/promises';
import {
  type MemoryConfiguration,
  type RegistrySnapshot,
  type Resource,
  type ResourceKind,
  unavailable,
} from '@loci/contracts';
import {
  type CircuitOpened,
  type Embedder,
  type LanguageModel,
  type ModelPauses,
  type Reranker,
} from '@loci/models';
import { type Logger, PeriodicTask } from '@loci/platform';
import { LiveModels, type ModelMaker } from './live-models.js';
import { type RegistrySource } from './registry-source.js';

/** As often as this the registry is asked for until it is known. */
const FIRST_CHECK_INTERVAL_MS = 2_000;

/** Hints tell of changes at once; one may be lost, so the revision is asked for as often as this. */
const CHECK_INTERVAL_MS = 15_000;

const START_PATIENCE_MS = 5_000;
const MAX_REASON_CHARS = 1_000;

export interface RegistryOptions {
  readonly source: RegistrySource;
  readonly logger: Logger;
  /** @param onCircuitOpen what the factory has to call when it gives a model up for a while */
  readonly createFactory: (onCircuitOpen: (opened: CircuitOpened) => void) => ModelMaker;
  /** How long models are left alone. */
  readonly pauses?: ModelPauses | undefined;
  /** How often the revision is asked for without a hint. Default 15 s. */
  readonly checkIntervalMs?: number | undefined;
  /** How long a start waits for config-service. Default 5 s. */
  readonly startPatienceMs?: number;
}

/**
 * The registry of models and the memory configuration, as they are now: a change is known within a moment, or when its hint
 * is lost within seconds; the last known ones while config-service is down.
 */
export class Registry {
  private snapshot: RegistrySnapshot | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly models: LiveModels;
  private readonly task: PeriodicTask;
  private refreshing: Promise<void> | undefined;
  private isHinted = false;
  private nextCheckMs = 0;
  private stopHints: (() => void) | undefined;

  constructor(private readonly options: RegistryOptions) {
    const { logger, checkIntervalMs = CHECK_INTERVAL_MS } = options;
    const factory = options.createFactory((opened) => this.report(opened));
    this.models = new LiveModels(factory, (kind, name) => this.resource(kind, name), logger);
    this.task = new PeriodicTask({
      name: 'ask for the registry',
      intervalMs: Math.min(checkIntervalMs, FIRST_CHECK_INTERVAL_MS),
      work: () => this.check(checkIntervalMs),
      logger,
    });
  }

  /** Begins to follow the registry; waits a while for the first state, and goes on without it. */
  async start(): Promise<void> {
    this.stopHints = this.options.source.onHint(() => this.hint());
    this.task.start();
    const known = new Promise<void>((resolve) => {
      const stop = this.onChange(() => {
        stop();
        resolve();
      });
    });
    const patienceMs = this.options.startPatienceMs ?? START_PATIENCE_MS;
    await Promise.race([known, sleep(patienceMs, undefined, { ref: false })]);
  }

  async stop(): Promise<void> {
    this.stopHints?.();
    await this.task.stop();
    await this.refreshing;
    await this.models.close();
  }

  /** @throws AppError `registry_unavailable` as long as config-service never answered */
  get memory(): MemoryConfiguration {
    return this.known().memory;
  }

  /** @throws AppError `registry_unavailable` as long as config-service never answered */
  get resources(): readonly Resource[] {
    return this.known().resources;
  }

  /** The resource as it is now, whatever its status. @throws AppError `registry_unavailable` */
  resource(kind: ResourceKind, name: string): Resource | undefined {
    return this.resources.find((one) => one.kind === kind && one.name === name);
  }

  /**
   * The model of this name, ready to use. Ask again for every piece of work: a change of the registry gives another one.
   * @throws AppError `resource_not_ready` for a name that is unknown, pending or failed, `registry_unavailable`
   */
  languageModel(name: string): Promise<LanguageModel> {
    return this.models.languageModel(name);
  }

  /** As `languageModel`. */
  embedder(name: string): Promise<Embedder> {
    return this.models.embedder(name);
  }

  /** As `languageModel`. */
  reranker(name: string): Promise<Reranker> {
    return this.models.reranker(name);
  }

  /** Names of the language models whose providers take no requests for now. */
  get pausedLanguageModels(): readonly string[] {
    const { pauses } = this.options;
    const models = this.snapshot?.resources.filter(({ kind }) => kind === 'language_model') ?? [];
    return pauses ? models.filter((model) => pauses.isPaused(model)).map(({ name }) => name) : [];
  }

  /** Calls back after each change, the first state included. @returns how to stop that */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private known(): RegistrySnapshot {
    if (this.snapshot) return this.snapshot;
    throw unavailable(
      'registry_unavailable',
      'The configuration is not known yet, because config-service does not answer; try again in a second.',
      { retryAfterSeconds: 1 },
    );
  }

  /** While config-service does not answer, it is asked again soon. */
  private async check(intervalMs: number): Promise<void> {
    if (performance.now() < this.nextCheckMs) return;
    const revision = await this.options.source.revision();
    if (revision !== this.snapshot?.revision) await this.refresh();
    // the tick that is due then may come a moment early
    this.nextCheckMs = performance.now() + intervalMs - Math.min(intervalMs, FIRST_CHECK_INTERVAL_MS);
  }

  /** Hints that come while the registry is asked for make one more question, not one each. */
  private hint(): void {
    if (this.refreshing) {
      this.isHinted = true;
      return;
    }
    void this.refresh().catch((error: unknown) =>
      this.options.logger.debug('the registry did not answer; asking again soon', { error }),
    );
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.load().finally(() => {
      this.refreshing = undefined;
      if (!this.isHinted) return;
      this.isHinted = false;
      this.hint();
    });
    return this.refreshing;
  }

  private async load(): Promise<void> {
    const snapshot = await this.options.source.snapshot();
    const before = this.snapshot?.revision ?? -1;
    if (snapshot.revision === before) return;
    this.snapshot = snapshot;
    // one question at a time: a lower number is no late answer, but a database that was brought back to an earlier moment
    if (snapshot.revision < before) this.models.retireAll();
    else this.models.retireOutdated();
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        this.options.logger.error('a change of the registry could not be followed', { error });
      }
    }
  }

  private report({ kind, name, reason }: CircuitOpened): void {
    const resource = this.snapshot && this.resource(kind, name);
    if (!resource) return;
    const report = { kind, name, revision: resource.revision, reason: reason.slice(0, MAX_REASON_CHARS) };
    this.options.source.report(report).catch((error: unknown) => {
      this.options.logger.warn('a failing model could not be reported', { resource: name, error });
    });
  }
}
