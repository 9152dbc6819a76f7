import { AppError, instantFromDate } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { describeInParts } from '../../described-episodes.js';
import { SemanticServiceEnv } from '../../env.js';
import { EpisodeForgetter } from '../../erasure/episode-forgetter.js';
import { type Position } from './claim-cursor.sql.js';
import { type DeletedEpisodes } from '../backlog/deleted-episodes.js';
import { CursorsRepository, type NextStep } from './cursors.repository.js';
import { type Group, groupsOf } from '../../groups.js';
import { type NotedEpisode, NotedEpisodesRepository } from './noted-episodes.repository.js';

const CURSOR = 'vanished-episodes';

const PAGE = 100;

/** Steps of one round: what vanished is found without hurry. */
const STEPS = 3;

/**
 * Goes through the episodes that something here depends on, slowly and without an end, and forgets those that are
 * deleted: the event that said so was lost.
 */
@Injectable()
export class VanishedEpisodes {
  constructor(
    private readonly cursors: CursorsRepository,
    private readonly noted: NotedEpisodesRepository,
    private readonly rpc: RpcClient,
    private readonly forgetter: EpisodeForgetter,
    private readonly env: SemanticServiceEnv,
    private readonly logger: Logger,
  ) {}

  /** Takes a few steps, if it is time for them. @returns whether it was */
  async find(signal: AbortSignal): Promise<boolean> {
    const retryMs = this.env.SWEEP_INTERVAL_MS;
    const check = (position: Position | undefined): Promise<NextStep> => this.checkPage(position);
    for (let steps = 0; steps < STEPS && !signal.aborted; steps += 1) {
      if (!(await this.cursors.step(CURSOR, { retryMs }, check))) return steps > 0;
    }
    return true;
  }

  private async checkPage(position: Position | undefined): Promise<NextStep> {
    const page = await this.noted.page(position ?? [], PAGE);
    for (const group of groupsOf(page, ({ projectUid }) => projectUid)) await this.forgetVanished(group);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { position: undefined, pauseMs: this.env.RECONCILE_INTERVAL_MS };
    return { position: [last.projectUid, last.uid], pauseMs: 0 };
  }

  /** The erasure of a closed project takes care of its episodes. */
  private async forgetVanished(episodes: Group<NotedEpisode>): Promise<void> {
    const [{ tenant, projectUid }] = episodes;
    if (!tenant) return;
    const uids = episodes.map(({ uid }) => uid);
    const askedAt = instantFromDate(new Date());
    const there = new Set<string>();
    for await (const part of describeInParts(this.rpc, { tenant, uids, withoutContent: true })) {
      for (const { uid } of part) there.add(uid);
    }
    const vanished = episodes.filter(({ uid }) => !there.has(uid));
    for (const group of groupsOf(vanished, ({ addedAt = askedAt }) => addedAt)) {
      const [{ addedAt: addedUntil = askedAt }] = group;
      await this.forget({ projectUid, uids: group.map(({ uid }) => uid), addedUntil });
    }
  }

  /** What cannot be forgotten is looked at again in the next round: it must not keep all that is behind it. */
  private async forget(deleted: DeletedEpisodes): Promise<void> {
    try {
      await this.forgetter.forgetDeleted(deleted);
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') throw error;
      this.logger.error('episodes could not be forgotten', { ...deleted, error });
      return;
    }
    this.logger.info('episodes were forgotten whose deletion no event had told of', {
      episodes: deleted.uids.length,
    });
  }
}
