import { type IngestionJob, type ListIngestionJobsRequest } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type Triggers } from '../backlog/backlog.js';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { TriggersSource } from '../settings/triggers-source.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { type IngestionSettings, type IngestionStatus, outlookOf } from './ingestion-status.js';
import { IngestionStatusRepository } from './ingestion-status.repository.js';

/** Says where the messages of a project are, and why they are not ingested yet. */
@Injectable()
export class IngestionStatusService {
  constructor(
    private readonly statuses: IngestionStatusRepository,
    private readonly projects: ProjectsService,
    private readonly triggers: TriggersSource,
    private readonly ingestion: IngestionSwitch,
  ) {}

  async list(request: ListIngestionJobsRequest): Promise<{ jobs: IngestionJob[]; total: number }> {
    const { waitingOnly, state, pageSize, pageNum } = request;
    const scope = await this.projects.scope(request);
    const page = { offset: pageSize * pageNum, limit: pageSize };
    const { jobs, total } = await this.statuses.list(scope, { waitingOnly, state, ...page });
    const triggers = this.knownTriggers();
    const { isOn } = this.ingestion;
    return { jobs: jobs.map((job) => toJob(job, { triggers, isOn })), total };
  }

  /** While the triggers are unknown, everything else is worth knowing. */
  private knownTriggers(): Triggers | undefined {
    try {
      return this.triggers.current();
    } catch {
      return undefined;
    }
  }
}

function toJob(status: IngestionStatus, settings: IngestionSettings): IngestionJob {
  const { setId, isOrgLevel, state, waiting, oldestAt, attempts, leaseUntil } = status;
  const { failing, deadLetters, changedAt } = status;
  const outlook = outlookOf(status, settings);
  return {
    setId,
    isOrgLevel,
    state,
    waiting,
    oldestAt,
    attempts,
    leaseUntil,
    failing,
    deadLetters,
    changedAt,
    ...outlook,
  };
}
