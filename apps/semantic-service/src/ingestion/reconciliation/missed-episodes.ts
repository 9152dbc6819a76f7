import { followEpisodes, type FollowedEpisode, INSTANT, type Instant } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { SemanticServiceEnv } from '../../env.js';
import { BacklogRepository } from '../backlog/backlog.repository.js';
import { FEED_CURSOR } from '../backlog/followed.js';
import { FoundEpisodes } from '../intake/found-episodes.js';
import { Learnability } from '../settings/learnability.js';
import { type Position } from './claim-cursor.sql.js';
import { CursorsRepository, type NextStep } from './cursors.repository.js';

const PAGE = 200;

/** Messages that keep the workers busy while more of what was deferred is taken in slowly. */
const ENOUGH = 5_000;
const CROWDED_PAUSE_MS = 500;

/**
 * Goes through the episodes of the episodic service, oldest addition first, and takes in those that have no row here: what no
 * event announced, and what was deferred because nothing could learn from it. Until something can, it stays where it is.
 */
@Injectable()
export class MissedEpisodes {
  /** In the last step. */
  private hasFound = true;

  constructor(
    private readonly cursors: CursorsRepository,
    private readonly rpc: RpcClient,
    private readonly backlog: BacklogRepository,
    private readonly found: FoundEpisodes,
    private readonly learnability: Learnability,
    private readonly env: SemanticServiceEnv,
    private readonly logger: Logger,
  ) {}

  /** Works through all that is old enough. @returns whether there may soon be more: a step was taken, or nothing can learn now */
  async find(signal: AbortSignal): Promise<boolean> {
    const retryMs = this.env.SWEEP_INTERVAL_MS;
    const take = (position: Position | undefined): Promise<NextStep> => this.takePage(position, signal);
    while (!signal.aborted && (await this.learnability.isGiven())) {
      if (!(await this.cursors.step(FEED_CURSOR, { retryMs }, take))) {
        const { hasFound } = this;
        this.hasFound = false;
        return hasFound;
      }
    }
    return true;
  }

  private async takePage(position: Position | undefined, signal: AbortSignal): Promise<NextStep> {
    const [addedAt, uid] = position ?? [];
    const after = isInstant(addedAt) && uid !== undefined ? { addedAt, uid } : undefined;
    const deferred = await this.backlog.deferred(ENOUGH);
    if (deferred.isAny && deferred.isCrowded) await sleep(CROWDED_PAUSE_MS, undefined, { ref: false });
    const olderThanMs = deferred.isAny ? 0 : this.env.SWEEP_PATIENCE_MS;
    const { episodes } = await this.rpc.call(followEpisodes, { after, olderThanMs, limit: PAGE });
    const taken = await this.takeMissed(episodes, signal);
    if (taken > 0) this.logger.info('episodes were taken in that had no row', { episodes: taken });
    if (deferred.isAny && episodes.length < PAGE)
      await this.backlog.clearDeferred(this.env.SWEEP_PATIENCE_MS);
    this.hasFound = taken > 0 || deferred.isAny;
    const last = episodes.at(-1);
    return {
      position: last ? [last.addedAt, last.uid] : position,
      pauseMs: episodes.length < PAGE ? this.env.SWEEP_INTERVAL_MS : 0,
    };
  }

  /** @returns how many they were, if anything was new */
  private async takeMissed(episodes: readonly FollowedEpisode[], signal: AbortSignal): Promise<number> {
    const unknown = await this.backlog.unknown(
      episodes.map(({ uid, addedAt, project }) => ({ uid, addedAt, projectUid: project.projectUid })),
    );
    if (unknown.length === 0) return 0;
    const missing = new Set(unknown);
    const missed = episodes.filter(({ uid }) => missing.has(uid));
    const found = missed.map(({ uid, addedAt, project }) => ({
      uid,
      addedAt,
      project,
      receivedAt: new Date(addedAt),
    }));
    return (await this.found.take(found, signal)).isNew ? missed.length : 0;
  }
}

const isInstant = (text: string | undefined): text is Instant => text !== undefined && INSTANT.test(text);
