import {
  configureProject,
  type ConfigureProjectRequest,
  createProject,
  type CreateProjectRequest,
  deleteProject,
  type DeleteProjectRequest,
  type Done,
  ensureProject,
  type EnsureProjectRequest,
  getProject,
  listProjects,
  type ListProjectsRequest,
  type Project as ProjectShape,
  type ProjectIdentity,
  type ProjectList,
  type ProjectRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { ProjectConfigs } from './project-configs.js';
import { type Project } from './project.js';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configs: ProjectConfigs,
  ) {}

  @Handle(createProject)
  async create(request: CreateProjectRequest): Promise<ProjectShape> {
    return this.toShape(await this.projects.create(request));
  }

  @Handle(getProject)
  async get({ tenant }: ProjectRequest): Promise<ProjectShape> {
    return this.toShape(await this.projects.get(tenant));
  }

  @Handle(listProjects)
  async list(request: ListProjectsRequest): Promise<ProjectList> {
    return { projects: await this.projects.list(request) };
  }

  @Handle(ensureProject)
  async ensure(request: EnsureProjectRequest): Promise<ProjectIdentity> {
    const { uid, models } = await this.projects.ensure(request);
    return { projectUid: uid, models };
  }

  @Handle(configureProject)
  async configure(request: ConfigureProjectRequest): Promise<ProjectShape> {
    return this.toShape(await this.projects.configure(request));
  }

  @Handle(deleteProject)
  async delete(request: DeleteProjectRequest): Promise<Done> {
    await this.projects.delete(request);
    return {};
  }

  private async toShape(project: Project): Promise<ProjectShape> {
    const { uid, tenant, description, models } = project;
    return { projectUid: uid, tenant, description, models, ...(await this.configs.inForce(project)) };
  }
}
