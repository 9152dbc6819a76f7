import { AppError } from '@loci/contracts';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { Embedders, isEmbedderOutage } from '../index-versions/embedders.js';
import { LATE } from '../index-versions/in-time.js';
import { type IndexVersionModel } from '../index-versions/index-version.js';
import { FirstCollections } from '../index-versions/first-collections.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';

/** Owners that are looked at in one step. */
const STEP = 500;

/** Notices that owners should use another embedder than they do, and begins to build what they need for it. */
@Injectable()
export class ReembeddingPlanner {
  /** Where the look at some goes on. */
  private after: string | undefined;
  /** What all owners were looked at for last. */
  private planned: { readonly defaultName: string; readonly models: ReadonlySet<string> } | undefined;

  constructor(
    private readonly embedders: Embedders,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly firstCollections: FirstCollections,
    private readonly logger: Logger,
  ) {}

  /**
   * Owners whose embedder is not ready stay where they are until it is; so do those of one that takes too long to say what it is.
   * @param share all owners, or the next few hundred: all are looked at anyway when there is a model that they were not looked at
   * for. One that is not ready any more asks nothing of any owner, nor does it when it comes back.
   * @returns whether every embedder was heard of; one that was not may be a moment later
   */
  async plan(signal: AbortSignal, share: 'all' | 'some' = 'all'): Promise<boolean> {
    const defaultName = this.embedders.defaultName;
    const names = new Set([defaultName, ...(await this.reembeddings.chosenNames())]);
    const { models, isComplete } = await this.modelsOf(names);
    const keys = new Set(models.map((model) => JSON.stringify(model)));
    const isForSome = share === 'some' && this.hasPlanned(defaultName, keys);
    if (!isForSome) this.after = undefined;
    while (!signal.aborted) {
      const { due, last } = await this.reembeddings.due(models, defaultName, STEP, this.after);
      for (const reembedding of due) await this.reembeddings.begin(reembedding);
      this.after = last;
      if (isForSome) break;
      if (last === undefined) {
        this.planned = { defaultName, models: keys };
        break;
      }
    }
    return isComplete;
  }

  /**
   * Looks at a few owners that chose anew, and at no other.
   * @returns whether every embedder that they chose was heard of
   */
  async planFor(owners: readonly string[]): Promise<boolean> {
    const { defaultName } = this.embedders;
    const chosen = await this.reembeddings.namesChosenBy(owners);
    const names = new Set(chosen.map((name) => (name === '' ? defaultName : name)));
    const { models, notReady, isComplete } = await this.modelsOf(names);
    const due = await this.reembeddings.dueOf(owners, models, defaultName);
    for (const reembedding of due) await this.reembeddings.begin(reembedding);
    this.forgetPlanned(notReady);
    return isComplete;
  }

  /** When they are ready again, all owners are looked at: some chose them meanwhile. */
  private forgetPlanned(names: readonly string[]): void {
    if (!this.planned || names.length === 0) return;
    const kept = [...this.planned.models].filter(
      (key) => !names.includes((JSON.parse(key) as IndexVersionModel).embedder),
    );
    this.planned = { ...this.planned, models: new Set(kept) };
  }

  private async modelsOf(names: ReadonlySet<string>) {
    const found = await Promise.all([...names].map((name) => this.modelOf(name)));
    const models = found.filter((model) => model !== undefined && model !== LATE);
    const notReady = [...names].filter((_, index) => found[index] === undefined);
    return { models, notReady, isComplete: !found.includes(LATE) };
  }

  private hasPlanned(defaultName: string, models: ReadonlySet<string>): boolean {
    const { planned } = this;
    return planned?.defaultName === defaultName && [...models].every((model) => planned.models.has(model));
  }

  /** @returns `LATE` where others do not wait any longer for what it is, or for its collection to be made */
  private async modelOf(name: string): Promise<IndexVersionModel | undefined | typeof LATE> {
    const model = await this.toldOf(name);
    if (model === undefined || model === LATE) return model;
    try {
      await this.firstCollections.makeSoon(model);
      return model;
    } catch (error) {
      if (isEmbedderOutage(error)) return LATE;
      throw error;
    }
  }

  private async toldOf(name: string): Promise<IndexVersionModel | undefined | typeof LATE> {
    try {
      const { fingerprint, dimensions } = await this.embedders.namedSoon(name);
      return { embedder: name, fingerprint, dimensions };
    } catch (error) {
      this.logger.debug('an embedder is not ready; its vectors stay where they are', {
        embedder: name,
        error,
      });
      return error instanceof AppError && error.code === 'embedder_unavailable' ? LATE : undefined;
    }
  }
}
