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
import { Idempotency } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { DeletionsRepository } from './deletions.repository.js';

const MAX_LISTED = 100;

/** Each reads all episodes of the project, and the worker sorts all that are open for each step. */
const MAX_OPEN = 1_000;

/** Deleting all episodes that match a filter. The worker does it; what is here is only asked for and shown. */
@Injectable()
export class DeletionsService {
  constructor(
    private readonly deletions: DeletionsRepository,
    private readonly episodes: EpisodesRepository,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
  ) {}

  /** What would be deleted. A missing project has nothing. */
  async preview({ tenant, filter }: MatchingEpisodesRequest): Promise<DeletionPreview> {
    const project = await this.projects.find(tenant);
    if (!project) return { count: 0, uids: [] };
    const uids = await this.episodes.firstMatching(project.uid, filter, MAX_LOOKED_UP + 1);
    if (uids.length <= MAX_LOOKED_UP) return { count: uids.length, uids };
    return { count: await this.episodes.countMatching(project.uid, filter) };
  }

  /**
   * When it returns the deletion is committed, and a worker will do it.
   * @throws AppError `project_not_found`, `matching_changed`, `overloaded`, `idempotency_key_reused`,
   * `idempotency_key_in_flight`
   */
  async start({ tenant, filter, expectedMatching, idempotency }: StartDeletionRequest): Promise<Deletion> {
    const { uid: projectUid } = await this.projects.get(tenant);
    const scope = { tenant: tenantName(tenant), operation: startDeletion.subject };
    return this.idempotency.run(scope, idempotency, async (tx) => {
      if ((await this.deletions.countOpen(projectUid, MAX_OPEN, tx)) === MAX_OPEN) throw tooManyOpen();
      const matching = await this.episodes.countMatching(projectUid, filter, tx);
      if (matching !== (expectedMatching ?? matching)) throw matchingChanged(matching);
      return this.deletions.insert({ uid: uuidv7(), projectUid, filter }, matching, tx);
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
}

const tooManyOpen = (): Error =>
  rateLimited(
    'overloaded',
    `The project has ${MAX_OPEN} deletions that are not done yet; try again when some are, or delete more with one filter.`,
    { retryAfterSeconds: 60 },
  );

const matchingChanged = (matching: number): Error =>
  conflict(
    'matching_changed',
    `Meanwhile ${matching} messages match, and nothing is deleted; look at them, then send that number.`,
  );
