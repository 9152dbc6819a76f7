import { AppError, type ProjectReference } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { LeasedWork } from '@loci/persistence';
import { Registry } from '@loci/registry';
import { firstWithin, Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { type Episode } from '../episodes/episode.js';
import { MemorySettings } from '../memory/memory-settings.js';
import { type ClaimedSummary, SummariesRepository, type SummaryReach } from './summaries.repository.js';
import { MeteredModel } from './metered-model.js';
import { Summarizer } from './summarizer.js';
import { windowChars } from './window-chars.js';

/** Read at once, and given to a model at once. */
const MAX_EPISODES = 200;
const MAX_CHARS = 24_000;

/** Calls of a model for one project before others have their turn. */
const CALLS_OF_TURN = 8;

/** How far before the window a summary that is written anew begins, however long the project is. */
const REACH: SummaryReach = { episodes: CALLS_OF_TURN * MAX_EPISODES, chars: CALLS_OF_TURN * MAX_CHARS };

/** Brings the summary of a project up to date. Safe to repeat and to interrupt: each step is stored on its own. */
@Injectable()
export class SummaryUpdater {
  private readonly work: LeasedWork<ClaimedSummary>;

  constructor(
    env: EpisodicServiceEnv,
    private readonly summaries: SummariesRepository,
    private readonly registry: Registry,
    private readonly memory: MemorySettings,
    private readonly rpc: RpcClient,
    private readonly logger: Logger,
  ) {
    this.work = new LeasedWork(summaries, env.LEASE_MS, logger);
  }

  /** A failure of the model keeps the former summary; it is tried again later. */
  async update(project: ProjectReference): Promise<void> {
    const modelName = this.memory.summaryModel;
    if (modelName === undefined) return;
    await this.work.next(
      (leaseMs) => this.summaries.claim(project.projectUid, leaseMs),
      (claimed) => this.tryToExtend(claimed, project, modelName),
    );
  }

  /** A summary that is being written does not count as unfinished. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  private async tryToExtend(
    claimed: ClaimedSummary,
    project: ProjectReference,
    modelName: string,
  ): Promise<void> {
    try {
      if (claimed.isReset) await this.summaries.settleReset(claimed, this.memory.capacityChars, REACH);
      await this.extend(claimed, project, modelName);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn('a summary could not be written; trying again later', {
        projectUid: project.projectUid,
        error,
      });
      await this.summaries.fail(claimed);
    }
  }

  private async extend(claimed: ClaimedSummary, project: ProjectReference, modelName: string): Promise<void> {
    let { text } = claimed;
    for (let calls = 0; ; calls += 1) {
      const capacityChars = this.memory.capacityChars;
      const window = windowChars(capacityChars, text);
      const { episodes: pending, windowFrom } = await this.summaries.next(claimed.key, window, MAX_EPISODES);
      if (pending.length === 0) return this.summaries.finish(claimed, windowFrom);
      if (calls === CALLS_OF_TURN) return this.summaries.pause(claimed);
      const episodes = firstOf(pending);
      const model = await this.registry.languageModel(modelName);
      const metered = new MeteredModel(model, project, this.rpc, this.logger);
      const summarizer = new Summarizer(metered, capacityChars);
      text = await summarizer.extend(text, episodes);
      const isSaved = await this.summaries.save(claimed, text, episodes);
      if (!isSaved) return this.summaries.fail(claimed);
    }
  }
}

/** As many as one call of a model takes, one at least. */
const firstOf = (episodes: readonly Episode[]): readonly Episode[] =>
  firstWithin(episodes, { maxSize: MAX_CHARS, sizeOf: ({ content }) => content.length });
