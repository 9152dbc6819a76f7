import { AppError } from '@loci/contracts';
import { type RerankerSource } from '@loci/models';
import { type Registry, rerankerNamed } from '@loci/registry';
import { type OpenProject } from '../projects/project.js';
import { type ProjectsService } from '../projects/projects.service.js';

/** Which reranker sorts the features that a project finds: the one that sorts its episodes. */
export class Rerankers {
  constructor(
    private readonly registry: Pick<Registry, 'memory' | 'reranker'>,
    private readonly projects: Pick<ProjectsService, 'rerankerOf'>,
  ) {}

  /** @returns undefined when hits keep their sequence; while it is not known which it is, one that always fails */
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
