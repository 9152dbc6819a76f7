import {
  adoptSemanticProjectModels,
  closeSemanticProject,
  type ConfiguredProject,
  type Done,
  type ProjectReference,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { ERASURE, WorkLeases } from '@loci/persistence';
import { Controller } from '@nestjs/common';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly leases: WorkLeases,
  ) {}

  @Handle(closeSemanticProject)
  async close(reference: ProjectReference): Promise<Done> {
    await this.projects.close(reference);
    // a person deletes the project, again if its erasure was set aside
    await this.leases.retry(ERASURE, reference.projectUid);
    return {};
  }

  @Handle(adoptSemanticProjectModels)
  async adoptModels(project: ConfiguredProject): Promise<Done> {
    await this.projects.adoptModels(project);
    return {};
  }
}
