import { AppError } from '@loci/contracts';
import { type RerankerSource } from '@loci/models';
import { type Registry, rerankerNamed } from '@loci/registry';
import { type OpenProject } from '../projects/project.js';
import { type ProjectsService } from '../projects/projects.service.js';

/** Which reranker orders the features that a project finds: the one that orders its episodes. */
export class Rerankers {
  constructor(
    private readonly registry: Pick<Registry, 'memory' | 'reranker'>,
    private readonly projects: Pick<ProjectsService, 'rerankerOf'>,
  ) {}

  /** @returns undefined when hits stay in their order; while nobody can tell which it is, one that cannot be had */
  async of(project: OpenProject): Promise<RerankerSource | undefined> {
    try {
      const chosen = await this.projects.rerankerOf(project);
      return rerankerNamed(this.registry, chosen || this.registry.memory.episodic.longTerm.reranker);
    } catch (error) {
      if (error instanceof AppError) return () => Promise.reject(error);
      throw error;
    }
  }
}
