import {
  conflict,
  type Deletion,
  type DeletionPreview,
  type GetDeletionRequest,
  type MatchingEpisodesRequest,
  MAX_LOOKED_UP,
  notFound,
  rateLimited,
  startDeletion,
  type StartDeletionRequest,
  type Tenant,
  tenantName,
} from '@loci/contracts';
import { Idempotency, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { type Counted, EpisodeCounts } from '../episodes/episode-counts.js';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { ownOf } from '../episodes/own-episodes.js';
import { ProjectsService } from '../projects/projects.service.js';
import { DeletionsRepository } from './deletions.repository.js';

const MAX_LISTED = 100;

/** Each reads episodes of the project for as long as counting lasts. */
const MAX_OPEN = 1_000;

/** Of all projects of an organization, of which there may be any number. */
const MAX_OPEN_OF_ORGANIZATION = 5_000;

/** Deleting all episodes that match a filter. The worker does it; what is here is only asked for and shown. */
@Injectable()
export class DeletionsService {
  constructor(
    private readonly deletions: DeletionsRepository,
    private readonly episodes: EpisodesRepository,
    private readonly counts: EpisodeCounts,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
  ) {}

  /** What the author of the request would delete. A missing project has nothing. */
  async preview({ tenant, filter: given }: MatchingEpisodesRequest): Promise<DeletionPreview> {
    const filter = ownOf(given);
    const project = await this.projects.find(tenant);
    if (!project) return { count: 0, uids: [] };
    const counted = await this.counts.matching(project.uid, filter);
    if (counted.isAtLeast || counted.count > MAX_LOOKED_UP) return counted;
    const uids = await this.episodes.firstMatching(project.uid, filter, MAX_LOOKED_UP + 1);
    return uids.length > MAX_LOOKED_UP
      ? { count: uids.length, isAtLeast: true }
      : { count: uids.length, uids };
  }

  /**
   * When it returns the deletion is committed, and a worker will do it.
   * @throws AppError `project_not_found`, `matching_changed`, `overloaded`, `idempotency_key_reused`,
   * `idempotency_key_in_flight`
   */
  async start(request: StartDeletionRequest): Promise<Deletion> {
    const { tenant, expectedMatching, idempotency } = request;
    const filter = ownOf(request.filter);
    const { uid: projectUid } = await this.projects.get(tenant);
    const scope = { tenant: tenantName(tenant), operation: startDeletion.subject };
    return this.idempotency.run(scope, idempotency, async (tx) => {
      await this.refuseTooMany(tenant.orgId, projectUid, tx);
      const counted = await this.counts.matching(projectUid, filter, tx);
      if (expectedMatching !== undefined && (counted.isAtLeast || counted.count !== expectedMatching))
        throw matchingChanged(counted);
      return this.deletions.insert({ uid: uuidv7(), projectUid, filter }, counted.count, tx);
    });
  }

  /** @throws AppError `project_not_found`, `job_not_found` */
  async get({ tenant, id }: GetDeletionRequest): Promise<Deletion> {
    const { uid: projectUid } = await this.projects.get(tenant);
    const found = isUuid(id) ? await this.deletions.find(projectUid, id) : undefined;
    if (!found) throw notFound('job_not_found', 'This job does not exist in the project.');
    return found;
  }

  /** The latest, newest first. A missing project has none. */
  async list(tenant: Tenant): Promise<Deletion[]> {
    const project = await this.projects.find(tenant);
    return project ? this.deletions.list(project.uid, MAX_LISTED) : [];
  }

  /** What starts in the same moment is not counted: at most as many as one organization has requests at a time. */
  private async refuseTooMany(orgId: string, projectUid: string, tx: Transaction): Promise<void> {
    if ((await this.deletions.countOpen(projectUid, MAX_OPEN, tx)) === MAX_OPEN)
      throw tooManyOpen('project', MAX_OPEN);
    const ofAll = await this.deletions.countOpenOf(orgId, MAX_OPEN_OF_ORGANIZATION, tx);
    if (ofAll === MAX_OPEN_OF_ORGANIZATION) throw tooManyOpen('organization', MAX_OPEN_OF_ORGANIZATION);
  }
}

const tooManyOpen = (whose: 'project' | 'organization', count: number): Error =>
  rateLimited(
    'overloaded',
    `The ${whose} has ${count} deletions that are not done yet; try again when some are, or delete more with one filter.`,
    { retryAfterSeconds: 60 },
  );

const matchingChanged = ({ count, isAtLeast }: Counted): Error =>
  conflict(
    'matching_changed',
    isAtLeast
      ? `At least ${count} messages match, which are too many to be counted, and nothing is deleted; send no number to delete them all.`
      : `Meanwhile ${count} messages match, and nothing is deleted; look at them, then send that number.`,
  );
