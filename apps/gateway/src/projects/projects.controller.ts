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
import { Idempotency } from '../wire/idempotency.decorator.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';
import {
  CreateProjectBody,
  fromProject,
  fromTenant,
  type ProjectAnswer,
  toCreateProject,
} from './project.wire.js';

/** Routes 3 to 7 of api-contract §1.3. */
@Controller(['api/v2/projects', 'v2/projects'])
export class ProjectsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @Access('write')
  async create(
    @Body() body: CreateProjectBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<ProjectAnswer> {
    return fromProject(await this.rpc.call(createProject, toCreateProject(body, idempotency)));
  }

  @Post('get')
  @HttpCode(200)
  @Access('read')
  async get(@Body() body: NamedProjectBody): Promise<ProjectAnswer> {
    return fromProject(await this.rpc.call(getProject, { tenant: tenantOf(body) }));
  }

  /** The projects that the caller may see. */
  @Post('list')
  @HttpCode(200)
  @Access('read', { tenantFrom: 'caller', ignoresBody: true })
  async list(@CurrentCaller() { bounds }: Caller): Promise<object[]> {
    const { projects } = await this.rpc.call(listProjects, { orgId: bounds.orgId });
    return projects.filter((project) => isWithin(project, bounds)).map(fromTenant);
  }

  @Post('episode_count/get')
  @HttpCode(200)
  @Access('read')
  async count(@Body() body: NamedProjectBody): Promise<{ count: number }> {
    const { count } = await this.rpc.call(countEpisodes, { tenant: tenantOf(body) });
    return { count };
  }

  @Post('delete')
  @HttpCode(204)
  @Access('write')
  async delete(@Body() body: NamedProjectBody, @Idempotency() idempotency?: IdempotencyToken): Promise<void> {
    await this.rpc.call(deleteProject, { tenant: tenantOf(body), idempotency });
  }
}
