import {
  type ConfiguredProject,
  ensureProject,
  getProject,
  projectBeingDeleted,
  projectNotFound,
  type ProjectReference,
  type Tenant,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { type OpenProject } from './project.js';
import { ProjectsRepository } from './projects.repository.js';

/** Which projects are open in this service. The control plane owns projects; here is what writes and reads depend on. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly rpc: RpcClient,
    private readonly env: EpisodicServiceEnv,
  ) {}

  /** The project if it has, or may have, data; undefined when there is nothing to read. */
  find(tenant: Tenant): Promise<OpenProject | undefined> {
    return this.projects.findOpen(tenant);
  }

  /** The project, opened here if the control plane knows it. @throws AppError `project_not_found` */
  async get(tenant: Tenant): Promise<OpenProject> {
    const known = await this.projects.findOpen(tenant);
    if (known) return known;
    const { projectUid, models } = await this.rpc.call(getProject, { tenant });
    const opened = await this.open({ tenant, projectUid, models });
    if (!opened) throw projectNotFound(tenant);
    return opened;
  }

  /**
   * Makes the project ready to be written to, creating it where the deployment allows that.
   * @throws AppError `project_being_deleted`, or `project_not_found` where projects are not created by adding
   */
  async ensureOpen(tenant: Tenant): Promise<void> {
    const mustExist = !this.env.AUTO_CREATE_PROJECTS;
    const { projectUid, models } = await this.rpc.call(ensureProject, { tenant, mustExist });
    if (!(await this.open({ tenant, projectUid, models }))) throw projectBeingDeleted(tenant);
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

  /** @returns undefined when it was closed meanwhile */
  private async open(project: ConfiguredProject): Promise<OpenProject | undefined> {
    await this.projects.open(project);
    return this.projects.findOpen(project.tenant);
  }
}
