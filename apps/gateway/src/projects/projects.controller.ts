import {
  countEpisodes,
  createProject,
  deleteProject,
  getProject,
  type IdempotencyToken,
  listProjects,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { HostedCaller } from '../hosted/hosted-caller.decorator.js';
import { type Caller } from '../hosted/token-verifier.js';
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
  async create(
    @Body() body: CreateProjectBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<ProjectAnswer> {
    return fromProject(await this.rpc.call(createProject, toCreateProject(body, idempotency)));
  }

  @Post('get')
  @HttpCode(200)
  async get(@Body() body: NamedProjectBody): Promise<ProjectAnswer> {
    return fromProject(await this.rpc.call(getProject, { tenant: tenantOf(body) }));
  }

  /** All projects of the deployment, under the hosted prefix those of the caller's organization. */
  @Post('list')
  @HttpCode(200)
  @RouteConfig({ ignoresBody: true })
  async list(@HostedCaller() caller?: Caller): Promise<object[]> {
    const { projects } = await this.rpc.call(listProjects, { orgId: caller?.orgId });
    return projects.map(fromTenant);
  }

  @Post('episode_count/get')
  @HttpCode(200)
  async count(@Body() body: NamedProjectBody): Promise<{ count: number }> {
    const { count } = await this.rpc.call(countEpisodes, { tenant: tenantOf(body) });
    return { count };
  }

  @Post('delete')
  @HttpCode(204)
  async delete(@Body() body: NamedProjectBody, @Idempotency() idempotency?: IdempotencyToken): Promise<void> {
    await this.rpc.call(deleteProject, { tenant: tenantOf(body), idempotency });
  }
}
