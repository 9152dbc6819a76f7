import {
  createProject,
  type CreateProjectRequest,
  deleteProject,
  type DeleteProjectRequest,
  type Done,
  ensureProject,
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
import { type Project } from './project.js';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Handle(createProject)
  async create(request: CreateProjectRequest): Promise<ProjectShape> {
    return toShape(await this.projects.create(request));
  }

  @Handle(getProject)
  async get({ tenant }: ProjectRequest): Promise<ProjectShape> {
    return toShape(await this.projects.get(tenant));
  }

  @Handle(listProjects)
  async list({ orgId }: ListProjectsRequest): Promise<ProjectList> {
    return { projects: await this.projects.list(orgId) };
  }

  @Handle(ensureProject)
  async ensure({ tenant }: ProjectRequest): Promise<ProjectIdentity> {
    return { projectUid: (await this.projects.ensure(tenant)).uid };
  }

  @Handle(deleteProject)
  async delete(request: DeleteProjectRequest): Promise<Done> {
    await this.projects.delete(request);
    return {};
  }
}

const toShape = ({ uid, tenant, description, config }: Project): ProjectShape => ({
  projectUid: uid,
  tenant,
  description,
  config,
});
