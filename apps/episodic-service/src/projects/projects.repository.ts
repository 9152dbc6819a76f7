import { type ConfiguredProject, type ProjectReference, type Tenant, tenantName } from '@loci/contracts';
import { rowsOf, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ADOPT_MODELS } from './adopt-models.sql.js';
import { CLOSE_PROJECT } from './close-project.sql.js';
import { FIND_OPEN_PROJECT } from './find-open-project.sql.js';
import { OPEN_PROJECT } from './open-project.sql.js';
import { toOpenProject } from './project-rows.js';
import { type EpisodicSettings, type OpenProject } from './project.js';
import { UPDATE_SETTINGS } from './update-settings.sql.js';

/** The projects that this service has data of. */
@Injectable()
export class ProjectsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async findOpen(tenant: Tenant): Promise<OpenProject | undefined> {
    const scope = rowsOf(tenantName(tenant));
    const [row] = await this.unitOfWork.execute(FIND_OPEN_PROJECT, [tenant.orgId, tenant.projectId], {
      scope,
    });
    return row && toOpenProject(tenant, row);
  }

  /** Opens the project unless it is known already, closed included. */
  async open({ projectUid, tenant, models }: ConfiguredProject): Promise<void> {
    const names = [projectUid, tenant.orgId, tenant.projectId];
    const chosen = [models.embedder, models.reranker, models.revision];
    const scope = rowsOf(tenantName(tenant));
    await this.unitOfWork.execute(OPEN_PROJECT, [...names, ...chosen], { scope });
  }

  /** Notes the models that an open project chose, unless a newer choice is known. */
  async adoptModels({ projectUid, tenant, models }: ConfiguredProject): Promise<void> {
    const chosen = [models.embedder, models.reranker, models.revision];
    const scope = rowsOf(tenantName(tenant));
    await this.unitOfWork.execute(ADOPT_MODELS, [projectUid, ...chosen], { scope });
  }

  /**
   * Closes the project for good, waiting for writes that are under way. A project never heard of is noted as closed, so
   * that a late writer cannot open it.
   */
  async close({ projectUid, tenant }: ProjectReference): Promise<void> {
    const names = [projectUid, tenant.orgId, tenant.projectId];
    await this.unitOfWork.execute(CLOSE_PROJECT, names, { scope: rowsOf(tenantName(tenant)) });
  }

  /** @returns false when the project is not open */
  async updateSettings(
    tenant: Tenant,
    { enabled, longTermEnabled, shortTermEnabled, ttlSeconds }: Partial<EpisodicSettings>,
    tx: Transaction | undefined,
  ): Promise<boolean> {
    const settings = [enabled, longTermEnabled, shortTermEnabled, ttlSeconds];
    const scope = rowsOf(tenantName(tenant));
    const parameters = [tenant.orgId, tenant.projectId, ...settings];
    const rows = await this.unitOfWork.execute(UPDATE_SETTINGS, parameters, { tx, scope });
    return rows.length === 1;
  }
}
