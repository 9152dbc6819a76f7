import {
  type Tenant,
  updateEpisodicSettings,
  type UpdateEpisodicSettingsRequest,
  projectNotFound,
  tenantName,
} from '@loci/contracts';
import { Idempotency } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type EpisodicSettings } from '../projects/project.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ProjectsService } from '../projects/projects.service.js';

@Injectable()
export class SettingsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly repository: ProjectsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  /** @throws AppError `project_not_found` */
  async get(tenant: Tenant): Promise<EpisodicSettings> {
    return (await this.projects.get(tenant)).settings;
  }

  /**
   * In force for every replica with the commit: reads and writes look the settings up.
   * @throws AppError `project_not_found`, `producer_not_allowed`
   */
  async update({ tenant, idempotency, ...changes }: UpdateEpisodicSettingsRequest): Promise<void> {
    requireUnbound('decide what a project remembers');
    await this.projects.get(tenant);
    // three public operations come in here: which one it was shows in what it changes
    const operation = [updateEpisodicSettings.subject, ...Object.keys(changes).sort()].join(' ');
    const scope = { tenant: tenantName(tenant), operation };
    await this.idempotency.run(scope, idempotency, async (tx) => {
      const { enabled, longTermEnabled, shortTermEnabled, ttlSeconds } = changes;
      const isOpen = await this.repository.updateSettings(
        tenant,
        {
          ...(enabled !== undefined && { enabled }),
          ...(longTermEnabled !== undefined && { longTermEnabled }),
          ...(shortTermEnabled !== undefined && { shortTermEnabled }),
          ...(ttlSeconds !== undefined && { ttlSeconds }),
        },
        tx,
      );
      if (!isOpen) throw projectNotFound(tenant);
      return {};
    });
  }
}
