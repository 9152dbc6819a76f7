import {
  addEpisodes,
  type AddEpisodesRequest,
  type DescribeEpisodesRequest,
  type FollowedEpisode,
  type FollowEpisodesRequest,
  type EpisodeCount,
  type EpisodeGroups as Groups,
  type GroupEpisodesRequest,
  type ListEpisodesRequest,
  type ListEpisodesResponse,
  type PrecedingEpisodesRequest,
  removeEpisodes,
  type RemovedEpisodes,
  type RemoveEpisodesRequest,
  type Tenant,
  projectBeingDeleted,
  tenantName,
} from '@loci/contracts';
import { Idempotency, Outbox } from '@loci/persistence';
import { boundProducer, RequestContext } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { ProjectsService } from '../projects/projects.service.js';
import { type DescribedEpisode, type NewEpisodes } from './episode.js';
import { EpisodeCounts } from './episode-counts.js';
import { EpisodeGroups } from './episode-groups.js';
import { EpisodeRemoval } from './episode-removal.js';
import { EpisodeFeed } from './episode-feed.js';
import { EpisodesRepository } from './episodes.repository.js';

/** The transaction found no open project: thrown to undo it. */
class ProjectNotOpen extends Error {}

@Injectable()
export class EpisodesService {
  constructor(
    private readonly episodes: EpisodesRepository,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
    private readonly feed: EpisodeFeed,
    private readonly groups: EpisodeGroups,
    private readonly counts: EpisodeCounts,
    private readonly removal: EpisodeRemoval,
  ) {}

  /**
   * Stores all episodes with the event that announces them, or nothing. When it returns they are committed.
   * @returns the uids in the sequence of the request
   * @throws AppError `project_being_deleted`, `idempotency_key_reused`, `idempotency_key_in_flight`
   */
  async add(request: AddEpisodesRequest): Promise<string[]> {
    const stored = await this.storeIfOpen(request);
    if (stored) return stored;
    await this.projects.ensureOpen(request.tenant);
    const storedThen = await this.storeIfOpen(request);
    if (!storedThen) throw projectBeingDeleted(request.tenant);
    return storedThen;
  }

  /** A missing project lists nothing. */
  async list({
    tenant,
    filter,
    pageSize,
    pageNum,
    byPosition,
  }: ListEpisodesRequest): Promise<ListEpisodesResponse> {
    const project = await this.projects.find(tenant);
    if (!project) return { episodes: [], total: 0 };
    if (byPosition) {
      return this.episodes.listFrom(project.uid, filter, { after: byPosition.after, limit: pageSize });
    }
    return this.episodes.list(project.uid, filter, { offset: pageSize * pageNum, limit: pageSize });
  }

  /** Whom and what a stretch of the episodes names. A missing project has none. */
  async group({ tenant, ...wanted }: GroupEpisodesRequest): Promise<Groups> {
    const project = await this.projects.find(tenant);
    return project ? this.groups.page(project.uid, wanted) : { groups: [] };
  }

  /** Those of the episodes that exist, unsorted. A missing project has none. */
  async describe({ tenant, uids, withoutContent }: DescribeEpisodesRequest): Promise<DescribedEpisode[]> {
    const project = await this.projects.find(tenant);
    return project ? this.episodes.describe(project.uid, uids.filter(isUuid), !withoutContent) : [];
  }

  /** What was said last in their conversations before the first of them. A missing project has nothing. */
  async preceding({ tenant, uids, limit, maxChars }: PrecedingEpisodesRequest): Promise<DescribedEpisode[]> {
    const project = await this.projects.find(tenant);
    if (!project) return [];
    return this.episodes.preceding(project.uid, uids.filter(isUuid), { limit, maxChars });
  }

  /** The episodes for semantic memory, oldest addition first; none is inserted later before one that was returned. */
  follow({ after, olderThanMs, limit }: FollowEpisodesRequest): Promise<FollowedEpisode[]> {
    return this.feed.follow(after, { olderThanMs, limit });
  }

  /** A missing project counts 0. */
  async count(tenant: Tenant): Promise<EpisodeCount> {
    const project = await this.projects.find(tenant);
    return project ? this.counts.matching(project.uid, undefined) : { count: 0 };
  }

  /**
   * Deletes what it finds: gone from every read with the commit, from the vector index a moment later. A key that is bound to
   * a producer finds what that one said.
   * @throws AppError `project_not_found`, `idempotency_key_reused`, `idempotency_key_in_flight`
   */
  async remove({ tenant, uids, idempotency }: RemoveEpisodesRequest): Promise<RemovedEpisodes> {
    const project = await this.projects.get(tenant);
    const asked = [...new Set(uids)];
    const removed = await this.idempotency.run(
      scopeOf(tenant, removeEpisodes.subject),
      idempotency,
      async (tx) => {
        const reference = { tenant, projectUid: project.uid };
        const removed = await this.removal.remove(reference, asked.filter(isUuid), tx, boundProducer());
        const deleted = new Set(removed);
        const wasDeleted = (uid: string): boolean => deleted.has(uid.toLowerCase());
        return { deleted: asked.filter(wasDeleted), notFound: asked.filter((uid) => !wasDeleted(uid)) };
      },
    );
    this.outbox.wake();
    return removed;
  }

  /** @returns undefined when the tenant has no open project */
  private async storeIfOpen(request: AddEpisodesRequest): Promise<string[] | undefined> {
    const { tenant, types, episodes, idempotency } = request;
    const batch: NewEpisodes = {
      types,
      author: RequestContext.current()?.author,
      episodes: episodes.map((episode) => ({ ...episode, uid: uuidv7() })),
    };
    const uids = batch.episodes.map(({ uid }) => uid);
    if (!idempotency) return (await this.episodes.add(tenant, batch)) ? this.announced(uids) : undefined;
    try {
      const scope = scopeOf(tenant, addEpisodes.subject);
      const stored = await this.idempotency.run(scope, idempotency, async (tx) => {
        if (!(await this.episodes.add(tenant, batch, tx))) throw new ProjectNotOpen();
        return uids;
      });
      return this.announced(stored);
    } catch (error) {
      if (error instanceof ProjectNotOpen) return undefined;
      throw error;
    }
  }

  private announced(uids: string[]): string[] {
    this.outbox.wake();
    return uids;
  }
}

const scopeOf = (tenant: Tenant, operation: string): { tenant: string; operation: string } => ({
  tenant: tenantName(tenant),
  operation,
});
