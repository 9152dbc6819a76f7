import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { IndexedContent } from '../content/indexed-content.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { CountedWords } from './counted-words.js';
import { WordChanges } from '../content/word-changes.js';
import { WordStatisticsRepository } from './word-statistics.repository.js';

/** Owners that are counted in one run. */
const BATCH = 20;

/** Texts of an owner that are counted: 200 tell nearly as much as all (`TermRarity`). */
const COUNTED_TEXTS = 1_000;

/** Counts the words of each owner that got, or lost, enough texts. What it costs does not grow with the owner. */
@Injectable()
export class WordUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    env: VectorServiceEnv,
    private readonly repository: WordStatisticsRepository,
    private readonly content: IndexedContent<unknown>,
    private readonly changes: WordChanges,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'counting words',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: (signal) => this.work(signal),
      logger,
    });
    changes.onChange(() => this.task.wake());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** @returns whether anything had changed, or was to be counted */
  async work(signal?: AbortSignal): Promise<boolean> {
    const changes = this.changes.take();
    if (changes.size > 0) await this.note(changes);
    const taken = await this.repository.take(BATCH);
    for (const one of taken) {
      if (signal?.aborted) break;
      const texts = await this.content.textsToMatch(one.ownerUid, COUNTED_TEXTS);
      await this.repository.save(one, await CountedWords.in(texts));
    }
    return changes.size > 0 || taken.length > 0;
  }

  /** What could not be written down is noted again: a deletion must not be forgotten while the database is away. */
  private async note(changes: ReturnType<WordChanges['take']>): Promise<void> {
    try {
      await this.repository.note(changes);
    } catch (error) {
      this.changes.putBack(changes);
      throw error;
    }
  }
}
