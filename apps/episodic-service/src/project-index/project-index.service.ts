import { AppError, type IndexSpaceProgress, type ProjectIndex, type Tenant } from '@loci/contracts';
import { Embedders, type IndexSpace, IndexSpacesRepository, MovesRepository } from '@loci/indexing';
import { Injectable } from '@nestjs/common';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { ProjectsService } from '../projects/projects.service.js';

/** Says how far the vectors of a project are. */
@Injectable()
export class ProjectIndexService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly spaces: IndexSpacesRepository,
    private readonly moves: MovesRepository,
    private readonly state: IndexStateRepository,
    private readonly embedders: Embedders,
  ) {}

  /** @throws AppError `project_not_found` */
  async get(tenant: Tenant): Promise<ProjectIndex> {
    const { uid, models } = await this.projects.get(tenant);
    const embedder = models.embedder || this.embedders.defaultName;
    const { spaces } = await this.spaces.of(uid);
    const active = spaces.find(({ state }) => state === 'active');
    const target = spaces.find(({ state }) => state === 'building');
    const { episodes, indexed, carried } = await this.state.counts(uid, target?.uid);
    const wanted = await this.fingerprintOf(embedder);
    const problem = wanted.problem ?? (target && (await this.moves.problemOf(target.uid)));
    const isMoving =
      target !== undefined || (active !== undefined && active.fingerprint !== wanted.fingerprint);
    return {
      state: problem ? 'waiting' : isMoving ? 'moving' : indexed < episodes ? 'indexing' : 'ready',
      embedder,
      episodes,
      active: active && progressOf(active, indexed),
      target: target && progressOf(target, carried),
      problem,
    };
  }

  private async fingerprintOf(name: string): Promise<{ fingerprint?: string; problem?: string }> {
    try {
      return { fingerprint: (await this.embedders.named(name)).fingerprint };
    } catch (error) {
      if (error instanceof AppError) return { problem: error.message };
      throw error;
    }
  }
}

const progressOf = (
  { embedder, fingerprint, dimensions }: IndexSpace,
  indexed: number,
): IndexSpaceProgress => ({
  embedder,
  fingerprint,
  dimensions,
  indexed,
});
