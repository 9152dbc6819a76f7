import {
  type SemanticRequest,
  type SemanticSettings,
  tenantName,
  updateSemanticSettings,
  type UpdateSemanticSettingsRequest,
} from '@loci/contracts';
import { Idempotency } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { KeptCallsRepository } from './kept-calls.repository.js';

/** How a project uses semantic memory. */
@Injectable()
export class SemanticSettingsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly rows: ProjectsRepository,
    private readonly keptCalls: KeptCallsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  /** @throws AppError `project_not_found` */
  async get({ tenant }: SemanticRequest): Promise<SemanticSettings> {
    const project = await this.projects.get(tenant);
    const { uid } = project;
    const owner = { orgId: tenant.orgId, projectUid: uid };
    const settings = (await this.rows.learningSettings(owner, [uid])).get(uid);
    const kept = await this.keptCalls.get(project);
    return { ...(settings ?? { trustedProducers: [], factsOf: 'users' as const }), ...kept };
  }

  /** @throws AppError `project_not_found`, `producer_not_allowed`, `project_being_deleted` */
  async update(request: UpdateSemanticSettingsRequest): Promise<void> {
    const { tenant, trustedProducers, factsOf, keepCallsDays, keepCallTexts, idempotency } = request;
    requireUnbound('decide which producers are trusted');
    const scope = { tenant: tenantName(tenant), operation: updateSemanticSettings.subject };
    await this.idempotency.runPrepared(
      scope,
      idempotency,
      () => this.projects.get(tenant),
      async (tx, project) => {
        const producers = trustedProducers && [...new Set(trustedProducers)];
        await this.rows.configureLearning(project, { trustedProducers: producers, factsOf }, tx);
        await this.keptCalls.configure(project, { keepCallsDays, keepCallTexts }, tx);
        return {};
      },
    );
  }
}
