import {
  countEpisodes,
  createProject,
  deleteProject,
  getProject,
  type IdempotencyToken,
  isWithin,
  listProjects,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';
import {
  CreateProjectBody,
  type EpisodeCountAnswer,
  episodeCountAnswer,
  fromProject,
  fromTenant,
  type ProjectAnswer,
  projectAnswer,
  type ProjectListAnswer,
  projectListAnswer,
  toCreateProject,
} from './project.wire.js';

/** Routes 3 to 7 of api-contract §1.3. */
@Tagged('Projects')
@Controller(['api/v2/projects', 'v2/projects'])
export class ProjectsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @Access('write')
  @Documented({
    name: 'create_project',
    summary: 'Creates a project.',
    description: 'Adding to a project that does not exist creates it, too, unless the deployment forbids it.',
    answer: projectAnswer,
    errors: [
      'project_exists',
      'project_being_deleted',
      'name_confusable',
      'quota_exceeded',
      'unknown_resource',
    ],
  })
  async create(
    @Body() body: CreateProjectBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<ProjectAnswer> {
    return fromProject(await this.rpc.call(createProject, toCreateProject(body, idempotency)));
  }

  @Post('get')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'get_project',
    summary: 'Shows a project.',
    answer: projectAnswer,
    errors: ['project_not_found'],
  })
  async get(@Body() body: NamedProjectBody): Promise<ProjectAnswer> {
    return fromProject(await this.rpc.call(getProject, { tenant: tenantOf(body) }));
  }

  /** The projects that the caller may see. */
  @Post('list')
  @HttpCode(200)
  @Access('read', { tenantFrom: 'caller', ignoresBody: true })
  @Documented({
    name: 'list_projects',
    summary: 'Lists the projects that the caller may see; takes no notice of its body.',
    answer: projectListAnswer,
  })
  async list(@CurrentCaller() { bounds }: Caller): Promise<ProjectListAnswer> {
    const { projects } = await this.rpc.call(listProjects, bounds);
    return projects.filter((project) => isWithin(project, bounds)).map(fromTenant);
  }

  @Post('episode_count/get')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'get_episode_count',
    summary: 'Counts the episodes of a project; one that does not exist has none.',
    answer: episodeCountAnswer,
  })
  async count(@Body() body: NamedProjectBody): Promise<EpisodeCountAnswer> {
    const { count, isAtLeast } = await this.rpc.call(countEpisodes, { tenant: tenantOf(body) });
    return { count, ...(isAtLeast && { at_least: true }) };
  }

  @Post('delete')
  @HttpCode(204)
  @Access('admin', { replaces: true })
  @Documented({
    name: 'delete_project',
    summary: 'Deletes a project with everything in it.',
    description:
      'It is gone for readers and writers with the answer; its data are erased in the background. Until that is done, deleting it again is 204, and creating it or a key for it is 409. Keys that are bound to it are revoked with it, also the one that deletes it.',
    errors: ['project_not_found'],
  })
  async delete(@Body() body: NamedProjectBody, @Idempotency() idempotency?: IdempotencyToken): Promise<void> {
    await this.rpc.call(deleteProject, { tenant: tenantOf(body), idempotency });
  }
}
