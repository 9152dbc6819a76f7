import {
  adoptSemanticProjectModels,
  closeSemanticProject,
  type ConfiguredProject,
  type Done,
  type ProjectReference,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Handle(closeSemanticProject)
  async close(reference: ProjectReference): Promise<Done> {
    await this.projects.close(reference);
    return {};
  }

  @Handle(adoptSemanticProjectModels)
  async adoptModels(project: ConfiguredProject): Promise<Done> {
    await this.projects.adoptModels(project);
    return {};
  }
}
