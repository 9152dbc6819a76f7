import {
  addResource,
  getMemoryConfiguration,
  getResource,
  type IdempotencyToken,
  listResources,
  removeResource,
  resourceTitle,
  retryResource,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { Databases } from './databases.js';
import { fromEpisodic, fromSemantic } from './memory-answers.wire.js';
import { kindOf, referenceOf, RemoveResourceQuery } from './resource-path.wire.js';
import {
  AddResourceBody,
  fromOutcome,
  fromResourceDetails,
  fromResources,
  type OutcomeAnswer,
  type ResourcesAnswer,
  toAddResource,
} from './resource.wire.js';

/** Routes 37, 38 and 48 to 54 of api-contract §1.3; rerankers can be added and removed like the other kinds. */
@Controller('api/v2/config')
export class ResourcesController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly databases: Databases,
  ) {}

  @Get()
  @Access('admin', { tenantFrom: 'deployment' })
  async getAll(): Promise<object> {
    const [resources, memory] = await Promise.all([this.list(), this.rpc.call(getMemoryConfiguration, {})]);
    return {
      resources,
      episodic_memory: fromEpisodic(memory.episodic),
      semantic_memory: fromSemantic(memory.semantic),
    };
  }

  @Get('resources')
  @Access('admin', { tenantFrom: 'deployment' })
  async list(): Promise<ResourcesAnswer> {
    const [{ resources }, databases] = await Promise.all([
      this.rpc.call(listResources, {}),
      this.databases.list(),
    ]);
    return fromResources(resources, databases);
  }

  @Get('resources/:kind/:name')
  @Access('admin', { tenantFrom: 'deployment' })
  async get(@Param('kind') kind: string, @Param('name') name: string): Promise<object> {
    return fromResourceDetails(await this.rpc.call(getResource, referenceOf(kind, name)));
  }

  @Post('resources/:kind')
  @Access('admin', { tenantFrom: 'deployment' })
  async add(
    @Param('kind') kind: string,
    @Body() body: AddResourceBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<OutcomeAnswer> {
    return fromOutcome(await this.rpc.call(addResource, toAddResource(kindOf(kind), body, idempotency)));
  }

  @Delete('resources/:kind/:name')
  @Access('admin', { tenantFrom: 'deployment', ignoresBody: true })
  async remove(
    @Param('kind') kind: string,
    @Param('name') name: string,
    @Query() { force }: RemoveResourceQuery,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<{ success: true; message: string }> {
    const resource = referenceOf(kind, name);
    await this.rpc.call(removeResource, { ...resource, force, idempotency });
    return {
      success: true,
      message: `${resourceTitle(resource.kind, resource.name)} removed successfully.`,
    };
  }

  @Post('resources/:kind/:name/retry')
  @HttpCode(200)
  @Access('admin', { tenantFrom: 'deployment', ignoresBody: true })
  async retry(@Param('kind') kind: string, @Param('name') name: string): Promise<OutcomeAnswer> {
    return fromOutcome(await this.rpc.call(retryResource, referenceOf(kind, name)));
  }
}
