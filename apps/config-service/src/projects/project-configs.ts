import { type ProjectConfig, type RequestedProjectConfig } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { MemoryConfigurationService } from '../memory-configuration/memory-configuration.service.js';
import { ResourceLookup } from '../resources/resource-lookup.js';
import { type Project } from './project.js';
import { modelsNamedIn, resolveProjectConfig } from './project-config.js';

/** Decides what a project works with. */
@Injectable()
export class ProjectConfigs {
  constructor(
    private readonly memory: MemoryConfigurationService,
    private readonly resources: ResourceLookup,
  ) {}

  /** @throws AppError `unknown_resource` naming every model that is not registered */
  async resolve(requested: RequestedProjectConfig | undefined, tx: Transaction): Promise<ProjectConfig> {
    await this.resources.protect(modelsNamedIn(requested), tx);
    const { episodic } = await this.memory.get(tx);
    return resolveProjectConfig(requested, episodic.longTerm);
  }

  /** @throws AppError `unknown_resource` naming every model that is not registered */
  async protect(
    models: { embedder?: string | undefined; reranker?: string | undefined },
    tx: Transaction,
  ): Promise<void> {
    await this.resources.protect(modelsNamedIn(models, ['body']), tx);
  }

  /** What an existing project works with now, and whether that is in force. */
  async inForce({ config, models }: Project): Promise<{ config: ProjectConfig; isEpisodicEnabled: boolean }> {
    const { enabled: isEpisodicEnabled, longTerm } = (await this.memory.get()).episodic;
    const embedder = models.embedder || longTerm.embedder;
    const reranker = models.reranker || longTerm.reranker;
    return { config: { ...config, embedder, reranker }, isEpisodicEnabled };
  }
}
