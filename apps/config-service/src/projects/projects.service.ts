import {
  type AccessBounds,
  configNotificationsRaised,
  configureProject,
  type ConfiguredProject,
  type ConfigureProjectRequest,
  conflict,
  createProject,
  type CreateProjectRequest,
  deleteProject,
  type DeleteProjectRequest,
  type EnsureProjectRequest,
  notification,
  projectBeingDeleted,
  projectNotFound,
  projectsConfigured,
  type ProjectModels,
  projectsDeleted,
  type ProjectReference,
  type Tenant,
  tenantName,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { KeyChanges } from '../key-changes/key-changes.js';
import { ProjectKeys } from '../key-changes/project-keys.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { ProjectHolders } from './project-holders.js';
import { ProjectConfigs } from './project-configs.js';
import { type Project, PROJECT_HOLDERS, type ProjectHolder } from './project.js';
import { type NewProject, ProjectsRepository } from './projects.repository.js';

/** How many unconfirmed deletions one sweep announces again. */
const SWEEP_LIMIT = 100;

const DEFAULT_MODELS: ProjectModels = { embedder: '', reranker: '', revision: 0 };

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly configs: ProjectConfigs,
    private readonly lookAlikes: LookAlikeNames,
    private readonly quotas: QuotasService,
    private readonly holders: ProjectHolders,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly keys: ProjectKeys,
    private readonly keyChanges: KeyChanges,
  ) {}

  /** @throws AppError `project_exists`, `project_being_deleted`, `name_confusable`, `quota_exceeded`, `unknown_resource` */
  async create({ tenant, description, config, idempotency }: CreateProjectRequest): Promise<Project> {
    return this.idempotency.run(scopeOf(tenant, createProject.subject), idempotency, async (tx) => {
      const resolved = await this.configs.resolve(config, tx);
      const models = { embedder: config?.embedder ?? '', reranker: config?.reranker ?? '', revision: 0 };
      const project = { uid: uuidv7(), tenant, description, config: resolved, models };
      await this.lookAlikes.refuse(tenant, tx);
      if (!(await this.add(project, tx))) throw await this.taken(tenant, tx);
      return { ...project, isBeingDeleted: false };
    });
  }

  /** @throws AppError `project_not_found`, also once deletion was requested */
  async get(tenant: Tenant): Promise<Project> {
    const project = await this.projects.find(tenant);
    if (!project || project.isBeingDeleted) throw projectNotFound(tenant);
    return project;
  }

  /**
   * Changes the models of a project. When a holder of data cannot be told, the change stands and the holder hears of it
   * later, but the caller learns that it is not in force yet.
   * @throws AppError `project_not_found`, `producer_not_allowed`, `unknown_resource`, `service_unavailable`
   */
  async configure({ tenant, idempotency, embedder, reranker }: ConfigureProjectRequest): Promise<Project> {
    requireUnbound('choose the models of a project');
    const configured = await this.idempotency.run(
      scopeOf(tenant, configureProject.subject),
      idempotency,
      async (tx) => {
        await this.configs.protect({ embedder, reranker }, tx);
        const found = await this.projects.configure(tenant, { embedder, reranker }, tx);
        if (!found) throw projectNotFound(tenant);
        const { project, isChanged } = found;
        if (isChanged) await this.outbox.append(tx, projectsConfigured, referenceOf(project));
        return project;
      },
    );
    this.outbox.wake();
    await this.holders.adoptModels(referenceOf(configured));
    return configured;
  }

  /** @throws AppError `body_too_large` */
  list(bounds: AccessBounds): Promise<Tenant[]> {
    return this.projects.list(bounds);
  }

  /**
   * The project of this name, created with the defaults if there is none and there may be one.
   * @throws AppError `project_being_deleted`, `name_confusable`, `quota_exceeded`, `project_not_found`
   */
  async ensure({ tenant, mustExist = false }: EnsureProjectRequest): Promise<Project> {
    const found = await this.projects.find(tenant);
    const project = found ?? (mustExist ? undefined : await this.addWithDefaults(tenant));
    if (!project) throw projectNotFound(tenant);
    if (project.isBeingDeleted) throw projectBeingDeleted(tenant);
    return project;
  }

  /**
   * Deletes the project for its users at once, and revokes the keys that are bound to it; its data are erased in the background. When a holder of data cannot be
   * told, the deletion stands and is carried on, but the caller learns that reads may lag: asking again repeats the call.
   * @throws AppError `project_not_found`, `service_unavailable`
   */
  async delete({ tenant, idempotency }: DeleteProjectRequest): Promise<void> {
    requireUnbound('delete a project');
    let revoked: readonly string[] = [];
    const reference = await this.idempotency.run(
      scopeOf(tenant, deleteProject.subject),
      idempotency,
      async (tx): Promise<ProjectReference> => {
        const marked = await this.projects.markDeleted(tenant, PROJECT_HOLDERS, tx);
        if (!marked) throw projectNotFound(tenant);
        const deleted = { tenant, projectUid: marked.project.uid };
        if (marked.isNewlyDeleted) {
          revoked = await this.keys.revoke(tenant, tx);
          await this.announceDeleted(deleted, tx);
        }
        return deleted;
      },
    );
    this.outbox.wake();
    this.keyChanges.announceAll(revoked);
    const remaining = await this.projects.find(tenant);
    if (remaining?.uid === reference.projectUid) await this.holders.close(reference);
  }

  confirmErasure(reference: ProjectReference, holder: ProjectHolder): Promise<void> {
    return this.projects.confirmErasure(reference.projectUid, holder);
  }

  /** Announces again what was not confirmed for long: the announcement or its answer may have been lost. @returns whether anything was */
  async announceUnconfirmed(patienceMs: number): Promise<boolean> {
    const announced = await this.unitOfWork.run(async (tx) => {
      const unconfirmed = await this.projects.takeUnconfirmed(patienceMs, SWEEP_LIMIT, tx);
      for (const { tenant, uid } of unconfirmed) {
        await this.outbox.append(tx, projectsDeleted, { tenant, projectUid: uid });
      }
      return unconfirmed.length;
    });
    if (announced > 0) this.outbox.wake();
    return announced > 0;
  }

  private async announceDeleted(deleted: ProjectReference, tx: Transaction): Promise<void> {
    const { orgId, projectId } = deleted.tenant;
    await this.outbox.append(tx, projectsDeleted, deleted);
    // of the organization: what is of the project goes with it
    const raised = notification(uuidv7(), 'project.deleted', { orgId }, { project_id: projectId });
    await this.outbox.append(tx, configNotificationsRaised, raised);
  }

  /** Why there can be no new project of that name now. */
  private async taken(tenant: Tenant, tx: Transaction): Promise<Error> {
    const project = await this.projects.find(tenant, tx);
    return project?.isBeingDeleted === false
      ? conflict(
          'project_exists',
          `Project ${tenantName(tenant)} already exists; use it, or delete it first.`,
        )
      : projectBeingDeleted(tenant);
  }

  /** @returns the project of that name, also when another request was faster */
  private async addWithDefaults(tenant: Tenant): Promise<Project | undefined> {
    await this.unitOfWork.run(async (tx) => {
      const config = await this.configs.resolve(undefined, tx);
      await this.lookAlikes.refuse(tenant, tx);
      await this.add({ uid: uuidv7(), tenant, description: '', config, models: DEFAULT_MODELS }, tx);
    });
    return this.projects.find(tenant);
  }

  /** @returns false when the name is taken @throws AppError `quota_exceeded` */
  private add(project: NewProject, tx: Transaction): Promise<boolean> {
    return this.quotas.within('projects', project.tenant.orgId, tx, () => this.projects.add(project, tx));
  }
}

const referenceOf = ({ uid, tenant, models }: Project): ConfiguredProject => ({
  tenant,
  projectUid: uid,
  models,
});

const scopeOf = (tenant: Tenant, operation: string): { tenant: string; operation: string } => ({
  tenant: tenantName(tenant),
  operation,
});
