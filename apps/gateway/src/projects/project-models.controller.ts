import { configureProject, getProjectIndex, type IdempotencyToken } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';
import { fromProjectIndex } from './project-index.wire.js';
import { ConfigureProjectBody, fromProject, type ProjectAnswer } from './project.wire.js';

/** Which models a project uses, and how far its vectors are. Beyond the reference. */
@Controller('api/v2/projects')
export class ProjectModelsController {
  constructor(private readonly rpc: RpcClient) {}

  @Put('config')
  @Access('write')
  async configure(
    @Body() body: ConfigureProjectBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<ProjectAnswer> {
    const { embedder, reranker } = body;
    return fromProject(
      await this.rpc.call(configureProject, { tenant: tenantOf(body), embedder, reranker, idempotency }),
    );
  }

  @Get('index')
  @Access('read')
  async index(@Query() query: NamedProjectBody): Promise<object> {
    return fromProjectIndex(await this.rpc.call(getProjectIndex, { tenant: tenantOf(query) }));
  }
}
