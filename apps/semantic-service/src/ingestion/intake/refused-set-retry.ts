import { Logger, Metrics, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { FoundEpisodes } from './found-episodes.js';
import { MessagesWithoutSet } from '../backlog/messages-without-set.js';

/** Takes messages in again for which a set was refused, once the quota has room, and those that could not be taken in. */
@Injectable()
export class RefusedSetRetry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: PeriodicTask;

  constructor(
    private readonly messages: MessagesWithoutSet,
    private readonly found: FoundEpisodes,
    private readonly env: SemanticServiceEnv,
    logger: Logger,
    metrics: Metrics,
  ) {
    this.rounds = new PeriodicTask({
      name: 'retry of messages whose set was refused',
      intervalMs: env.QUOTA_SWEEP_INTERVAL_MS,
      work: (signal) => this.retry(signal),
      logger,
    });
    metrics.gauge(
      'loci_quota_messages_waiting',
      'Messages that wait for a semantic set, because their organization has used up its quota of sets, or because they could not be taken in.',
      [],
      async (gauge) => gauge.set(await messages.count().catch(() => Number.NaN)),
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** @returns whether messages are left that may soon be taken; what has just failed is left for longer */
  async retry(signal?: AbortSignal): Promise<boolean> {
    while (!signal?.aborted) {
      const messages = await this.messages.withRoom(this.env.QUOTA_SETS);
      if (messages.length === 0) return this.messages.areThere();
      const { haveSomeFailed } = await this.found.take(messages, signal);
      await this.messages.remove(messages);
      if (haveSomeFailed) return false;
    }
    return true;
  }
}
