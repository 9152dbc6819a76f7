import { getIngestionUsage, type GetIngestionUsageRequest, type IngestionUsageList } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { ProjectsService } from '../../projects/projects.service.js';
import { UsageRepository } from './usage.repository.js';

@Controller()
export class UsageController {
  constructor(
    private readonly usage: UsageRepository,
    private readonly projects: ProjectsService,
  ) {}

  @Handle(getIngestionUsage)
  async get(request: GetIngestionUsageRequest): Promise<IngestionUsageList> {
    return { usage: await this.usage.list(await this.projects.scope(request), request.days) };
  }
}
