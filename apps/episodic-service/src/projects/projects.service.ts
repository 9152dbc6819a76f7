import {
  ensureProject,
  getProject,
  projectBeingDeleted,
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

  /** The project if it holds, or may hold, data; undefined when there is nothing to read. */
  find(tenant: Tenant): Promise<OpenProject | undefined> {
    return this.projects.findOpen(tenant);
  }

  /** The project, opened here if the control plane knows it. @throws AppError `project_not_found` */
  async get(tenant: Tenant): Promise<OpenProject> {
    const known = await this.projects.findOpen(tenant);
    if (known) return known;
    const { projectUid } = await this.rpc.call(getProject, { tenant });
    return this.open({ tenant, projectUid });
  }

  /**
   * Makes the project ready to be written to, creating it where the deployment allows that.
   * @throws AppError `project_being_deleted`, or `project_not_found` where projects are not created by adding
   */
  async admit(tenant: Tenant): Promise<void> {
    const operation = this.env.AUTO_CREATE_PROJECTS ? ensureProject : getProject;
    const { projectUid } = await this.rpc.call(operation, { tenant });
    await this.open({ tenant, projectUid });
  }

  /** From the return of this call on, the project takes no writes and shows no data. Idempotent. */
  close(reference: ProjectReference): Promise<void> {
    return this.projects.close(reference);
  }

  private async open(reference: ProjectReference): Promise<OpenProject> {
    await this.projects.open(reference);
    const opened = await this.projects.findOpen(reference.tenant);
    if (!opened) throw projectBeingDeleted(reference.tenant);
    return opened;
  }
}
