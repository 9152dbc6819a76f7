import { type IngestionJobList, listIngestionJobs, type ListIngestionJobsRequest } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { IngestionStatusService } from './ingestion-status.service.js';

@Controller()
export class IngestionStatusController {
  constructor(private readonly statuses: IngestionStatusService) {}

  @Handle(listIngestionJobs)
  list(request: ListIngestionJobsRequest): Promise<IngestionJobList> {
    return this.statuses.list(request);
  }
}
