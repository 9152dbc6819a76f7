import {
  type EpisodeGroups as Groups,
  EPISODES_PER_GROUPS_PAGE,
  type GroupEpisodesRequest,
  type RowPosition,
} from '@loci/contracts';
import { rowsOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { matching } from './episode-rows.js';
import { endOfStretch, groupEpisodes } from './group-episodes.sql.js';

/** Who and what the messages of a project name: users, sessions, producers. */
@Injectable()
export class EpisodeGroups {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Of a stretch of messages, whose length bounds what it costs. */
  async page(
    projectUid: string,
    { by, filter, before }: Omit<GroupEpisodesRequest, 'tenant'>,
  ): Promise<Groups> {
    const next = await this.endOf(projectUid, before);
    const predicate = matching(filter, 6);
    const bounds = [before?.createdAt, before?.uid, next?.createdAt, next?.uid].map((one) => one ?? null);
    const rows = await this.unitOfWork.execute(
      groupEpisodes(by, predicate),
      [projectUid, ...bounds, ...predicate.parameters],
      { scope: rowsOf(projectUid) },
    );
    return {
      groups: rows.map(({ name, episodes, first_at, last_at }) => ({
        name,
        episodes,
        firstAt: first_at,
        lastAt: last_at,
      })),
      next,
    };
  }

  private async endOf(projectUid: string, before: RowPosition | undefined): Promise<RowPosition | undefined> {
    const position = before ? [before.createdAt, before.uid] : [];
    const [end] = await this.unitOfWork.execute(
      endOfStretch(before !== undefined),
      [projectUid, EPISODES_PER_GROUPS_PAGE - 1, ...position],
      { scope: rowsOf(projectUid) },
    );
    return end && { createdAt: end.created_at, uid: end.uid };
  }
}
