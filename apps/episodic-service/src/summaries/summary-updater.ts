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
import { isAboutText, RefusedEpisodes } from './refused-episodes.js';
import { Summarizer } from './summarizer.js';
import { windowChars } from './window-chars.js';

/** Read at once, and given to a model at once. */
const MAX_EPISODES = 200;
const MAX_CHARS = 24_000;

/** Calls of a model for one project before others have their turn. */
const CALLS_OF_TURN = 8;

/** So often a model refuses one episode alone before the summary goes on without it. */
const MAX_REFUSALS = 6;

/** How far before the window a summary that is written anew begins, however long the project is. */
const REACH: SummaryReach = { episodes: CALLS_OF_TURN * MAX_EPISODES, chars: CALLS_OF_TURN * MAX_CHARS };

/** For whom a text is written, by which model, beside how much else. */
interface SummaryTask {
  readonly project: ProjectReference;
  readonly modelName: string;
  readonly capacityChars: number;
}

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
    } catch (failure) {
      const refused = failure instanceof RefusedEpisodes ? failure : undefined;
      const error = refused?.cause ?? failure;
      if (!(error instanceof AppError)) throw error;
      this.logger.warn('a summary could not be written; trying again later', {
        projectUid: project.projectUid,
        error,
      });
      await this.summaries.fail(claimed, refused?.episodes);
    }
  }

  private async extend(claimed: ClaimedSummary, project: ProjectReference, modelName: string): Promise<void> {
    let { text } = claimed;
    for (let calls = 0; ; calls += 1) {
      const capacityChars = this.memory.capacityChars;
      const window = windowChars(capacityChars, text);
      const { episodes: pending, windowFrom } = await this.summaries.next(claimed.key, window, MAX_EPISODES);
      const [next] = pending;
      if (!next) return this.summaries.finish(claimed, windowFrom);
      if (calls === CALLS_OF_TURN) return this.summaries.pause(claimed);
      const task = { project, modelName, capacityChars };
      const isHopeless = next.uid === claimed.refusedUid && claimed.refusals >= MAX_REFUSALS;
      const episodes = isHopeless ? [next] : firstOf(pending, claimed.halvings);
      const written = isHopeless
        ? await this.lastTry(text, next, pending.slice(1), task)
        : await this.summarize(text, episodes, task);
      text = written ?? text;
      const isStored =
        written === undefined
          ? await this.leaveOut(claimed, next)
          : await this.summaries.save(claimed, text, episodes);
      if (!isStored) return this.summaries.fail(claimed);
    }
  }

  /** @throws RefusedEpisodes where the failure may be theirs */
  private async summarize(
    former: string,
    episodes: readonly Episode[],
    { project, modelName, capacityChars }: SummaryTask,
  ): Promise<string> {
    const model = await this.registry.languageModel(modelName);
    const metered = new MeteredModel(model, project, this.rpc, this.logger);
    try {
      return await new Summarizer(metered, capacityChars).extend(former, episodes);
    } catch (error) {
      throw isAboutText(error) ? new RefusedEpisodes(episodes, error) : error;
    }
  }

  /**
   * The text with an episode; undefined where the model takes another one beside the same text, but not this.
   * @throws AppError where it takes no other one either
   */
  private async lastTry(
    text: string,
    episode: Episode,
    others: readonly Episode[],
    task: SummaryTask,
  ): Promise<string | undefined> {
    const newest = others.slice(-1);
    try {
      if (newest.length > 0) await this.summarize(text, newest, task);
    } catch (error) {
      throw error instanceof RefusedEpisodes ? error.cause : error;
    }
    try {
      return await this.summarize(text, [episode], task);
    } catch (error) {
      if (!(error instanceof RefusedEpisodes)) throw error;
      if (newest.length === 0) throw error.cause;
      return undefined;
    }
  }

  private leaveOut(claimed: ClaimedSummary, episode: Episode): Promise<boolean> {
    const { key: projectUid, refusals } = claimed;
    this.logger.warn('a summary goes on without a message that its model refuses', {
      projectUid,
      episodeUid: episode.uid,
      refusals,
    });
    return this.summaries.leaveOut(claimed, episode);
  }
}

/** As many as one call of a model takes, one at least. */
function firstOf(pending: readonly Episode[], halvings: number): readonly Episode[] {
  const episodes = firstWithin(pending, { maxSize: MAX_CHARS, sizeOf: ({ content }) => content.length });
  return episodes.slice(0, Math.ceil(episodes.length / 2 ** halvings));
}
