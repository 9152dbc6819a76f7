import {
  type ConfiguredProject,
  ensureProject,
  getProject,
  projectBeingDeleted,
  projectNotFound,
  type ProjectIdentity,
  type ProjectReference,
  type SemanticRequest,
  type Tenant,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { type OpenProject, requireTrustedAuthor, requireUnboundAuthor, type Scope } from './project.js';
import { ProjectsRepository } from './projects.repository.js';

/** Which projects are open in this service. The control plane owns projects; here is what writes and reads depend on. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly rpc: RpcClient,
    private readonly env: SemanticServiceEnv,
  ) {}

  /** The project if it has, or may have, data; undefined when there is nothing to read. */
  find(tenant: Tenant): Promise<OpenProject | undefined> {
    return this.projects.findOpen(tenant);
  }

  /** What a request of the tenant may see. */
  async scope({ tenant, organization }: SemanticRequest, tx?: Transaction): Promise<Scope> {
    const project = await this.projects.findOpen(tenant, tx);
    const { uid: projectUid, trustedProducers } = project ?? {};
    return { orgId: tenant.orgId, projectUid, organization, trustedProducers };
  }

  /** As `scope`, for a change of what is made of the messages of any producer. @throws AppError `producer_not_allowed` */
  async changeScope(request: SemanticRequest): Promise<Scope> {
    requireUnboundAuthor();
    return this.scope(request);
  }

  /**
   * For a read of what needs no project to be there yet.
   * @throws AppError `project_not_found` where projects are not created by writing
   */
  async refuseMissing(tenant: Tenant): Promise<void> {
    const known = await this.projects.findOpen(tenant);
    if (!known && !this.env.AUTO_CREATE_PROJECTS) await this.rpc.call(getProject, { tenant });
  }

  /** The project, opened here if the control plane knows it. @throws AppError `project_not_found` */
  async get(tenant: Tenant): Promise<OpenProject> {
    const known = await this.projects.findOpen(tenant);
    if (known) return known;
    const opened = await this.open(tenant, await this.rpc.call(getProject, { tenant }));
    if (!opened) throw projectNotFound(tenant);
    return opened;
  }

  /**
   * The project, ready to be written to by the author of the request; created where the deployment allows that.
   * @throws AppError `producer_not_allowed`, `project_being_deleted`, or `project_not_found` where projects are not created by writing
   */
  async ensureOpen(tenant: Tenant): Promise<OpenProject> {
    const known = await this.projects.findOpen(tenant);
    requireTrustedAuthor(known?.trustedProducers);
    if (known) return known;
    const mustExist = !this.env.AUTO_CREATE_PROJECTS;
    const opened = await this.open(tenant, await this.rpc.call(ensureProject, { tenant, mustExist }));
    if (!opened) throw projectBeingDeleted(tenant);
    return opened;
  }

  /** The project that an event named, opened here if it was not known; undefined once it was closed. */
  async openReferenced(reference: ProjectReference): Promise<OpenProject | undefined> {
    const known = await this.projects.findOpen(reference.tenant);
    if (known?.uid === reference.projectUid) return known;
    await this.projects.open(reference);
    const opened = await this.projects.findOpen(reference.tenant);
    return opened?.uid === reference.projectUid ? opened : undefined;
  }

  /** Keeps the project open until the transaction ends. @throws AppError `project_being_deleted` */
  async keepOpen({ uid, tenant }: OpenProject, tx: Transaction): Promise<void> {
    const open = await this.projects.keepOpen({ orgId: tenant.orgId, projectUid: uid }, [uid], tx);
    if (!open.has(uid)) throw projectBeingDeleted(tenant);
  }

  /** Keeps those of the projects that are open from being closed until the transaction ends. @returns their uids */
  keepAllOpen(projects: readonly OpenProject[], tx: Transaction): Promise<Set<string>> {
    return this.projects.keepAllOpen([...new Set(projects.map(({ uid }) => uid))], tx);
  }

  /** From the return of this call on, the project takes no writes and shows no data. Idempotent. */
  close(reference: ProjectReference): Promise<void> {
    return this.projects.close(reference);
  }

  /** The project works with these models from now on, unless it knows of a newer choice. Idempotent. */
  async adoptModels(project: ConfiguredProject): Promise<void> {
    await this.projects.open(project);
    await this.projects.adoptModels(project);
  }

  /**
   * Name of the reranker that the project chose, empty for that of the deployment. The control plane is asked once.
   * @throws AppError `project_not_found`, `service_unavailable`
   */
  async rerankerOf({ tenant, uid, reranker }: OpenProject): Promise<string> {
    if (reranker !== undefined) return reranker;
    const { projectUid, models } = await this.rpc.call(getProject, { tenant });
    if (projectUid !== uid) throw projectNotFound(tenant);
    await this.projects.adoptModels({ tenant, projectUid, models });
    return models.reranker;
  }

  /** @returns undefined when it was closed meanwhile */
  private async open(
    tenant: Tenant,
    { projectUid, models }: ProjectIdentity,
  ): Promise<OpenProject | undefined> {
    const project = { tenant, projectUid, models };
    const opened = await this.openReferenced(project);
    if (opened) await this.projects.adoptModels(project);
    return opened;
  }
}
