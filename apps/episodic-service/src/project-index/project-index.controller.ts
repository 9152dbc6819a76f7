import { getProjectIndex, type ProjectIndex, type ProjectRequest } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { ProjectIndexService } from './project-index.service.js';

@Controller()
export class ProjectIndexController {
  constructor(private readonly projectIndex: ProjectIndexService) {}

  @Handle(getProjectIndex)
  get({ tenant }: ProjectRequest): Promise<ProjectIndex> {
    return this.projectIndex.get(tenant);
  }
}
