import { followEpisodes, type FollowedEpisode, INSTANT, type Instant } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { BacklogRepository } from '../backlog/backlog.repository.js';
import { EpisodeIntake } from '../intake/episode-intake.js';
import { type Position } from './claim-cursor.sql.js';
import { CursorsRepository, type NextStep } from './cursors.repository.js';
import { type Group, groupsOf } from '../intake/groups.js';

const CURSOR = 'missed-episodes';
const PAGE = 200;

/**
 * Goes through the episodes of the episodic service, oldest addition first, and takes in those that no event announced to this
 * service of: an event that was lost only delays.
 */
@Injectable()
export class MissedEpisodes {
  constructor(
    private readonly cursors: CursorsRepository,
    private readonly rpc: RpcClient,
    private readonly backlog: BacklogRepository,
    private readonly intake: EpisodeIntake,
    private readonly env: SemanticServiceEnv,
    private readonly logger: Logger,
  ) {}

  /** Works through all that is old enough. */
  async find(signal: AbortSignal): Promise<void> {
    const retryMs = this.env.SWEEP_INTERVAL_MS;
    const take = (position: Position | undefined): Promise<NextStep> => this.takePage(position);
    while (!signal.aborted && (await this.cursors.step(CURSOR, { retryMs }, take)));
  }

  private async takePage(position: Position | undefined): Promise<NextStep> {
    const [addedAt, uid] = position ?? [];
    const after = isInstant(addedAt) && uid !== undefined ? { addedAt, uid } : undefined;
    const olderThanMs = this.env.SWEEP_PATIENCE_MS;
    const { episodes } = await this.rpc.call(followEpisodes, { after, olderThanMs, limit: PAGE });
    for (const group of groupsOf(episodes, ({ project }) => project.projectUid)) await this.takeMissed(group);
    const last = episodes.at(-1);
    return {
      position: last ? [last.addedAt, last.uid] : position,
      pauseMs: episodes.length < PAGE ? this.env.SWEEP_INTERVAL_MS : 0,
    };
  }

  private async takeMissed(episodes: Group<FollowedEpisode>): Promise<void> {
    const [{ project, addedAt }] = episodes;
    const { projectUid } = project;
    const uids = await this.backlog.unknown(episodes.map((episode) => ({ ...episode, projectUid })));
    if (uids.length === 0) return;
    await this.intake.take([{ reference: { ...project, uids }, receivedAt: new Date(addedAt), causes: [] }]);
    this.logger.info('episodes were taken in that no event had told of', { episodes: uids.length });
  }
}

const isInstant = (text: string | undefined): text is Instant => text !== undefined && INSTANT.test(text);
