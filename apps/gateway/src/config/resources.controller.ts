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
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { type ConfigAnswer, configAnswer } from './config-answer.wire.js';
import { Databases } from './databases.js';
import { fromEpisodic, fromSemantic } from './memory-answers.wire.js';
import { RESOURCE_EXAMPLES } from './resource-examples.js';
import { kindOf, kindSegment, nameSegment, referenceOf, RemoveResourceQuery } from './resource-path.wire.js';
import {
  AddResourceBody,
  fromOutcome,
  fromResourceDetails,
  fromResources,
  type OutcomeAnswer,
  outcomeAnswer,
  type ResourceDetailsAnswer,
  resourceDetailsAnswer,
  type ResourcesAnswer,
  resourcesAnswer,
  toAddResource,
} from './resource.wire.js';
import { type DoneAnswer, doneAnswer } from './update-answer.wire.js';

const ONE = { kind: kindSegment, name: nameSegment };

/** Routes 37, 38 and 48 to 54 of api-contract §1.3; rerankers can be added and removed like the other kinds. */
@Tagged('Configuration')
@Controller('api/v2/config')
export class ResourcesController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly databases: Databases,
  ) {}

  @Get()
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_config',
    summary: 'Shows the whole configuration: resources and how memory works.',
    answer: configAnswer,
  })
  async getAll(): Promise<ConfigAnswer> {
    const [resources, memory] = await Promise.all([this.list(), this.rpc.call(getMemoryConfiguration, {})]);
    return {
      resources,
      episodic_memory: fromEpisodic(memory.episodic),
      semantic_memory: fromSemantic(memory.semantic),
    };
  }

  @Get('resources')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_resources',
    summary: 'Lists models and databases with their state.',
    answer: resourcesAnswer,
  })
  async list(): Promise<ResourcesAnswer> {
    const [{ resources }, databases] = await Promise.all([
      this.rpc.call(listResources, {}),
      this.databases.list(),
    ]);
    return fromResources(resources, databases);
  }

  @Get('resources/:kind/:name')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_resource',
    summary: 'Shows a model: its settings without secrets, who uses it, and what became of it.',
    path: ONE,
    answer: resourceDetailsAnswer,
    errors: ['resource_not_found', 'route_not_found'],
  })
  async get(@Param('kind') kind: string, @Param('name') name: string): Promise<ResourceDetailsAnswer> {
    return fromResourceDetails(await this.rpc.call(getResource, referenceOf(kind, name)));
  }

  @Post('resources/:kind')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'add_resource',
    summary: 'Adds a model, or gives one of that name other settings, and tries it.',
    description:
      'It is stored whatever comes of the trial: a failure is an answer, not an error. A credential may be a reference to the environment, `$NAME` or `${NAME}`.',
    path: { kind: kindSegment },
    examples: RESOURCE_EXAMPLES,
    answer: outcomeAnswer,
    errors: ['producer_not_allowed', 'resource_built_in', 'unknown_resource', 'route_not_found'],
  })
  async add(
    @Param('kind') kind: string,
    @Body() body: AddResourceBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<OutcomeAnswer> {
    return fromOutcome(await this.rpc.call(addResource, toAddResource(kindOf(kind), body, idempotency)));
  }

  @Delete('resources/:kind/:name')
  @Access('admin', { tenantFrom: 'deployment', ignoresBody: true })
  @Documented({
    name: 'remove_resource',
    summary: 'Removes a model that nothing uses, or any with `force`.',
    path: ONE,
    answer: doneAnswer,
    errors: [
      'resource_not_found',
      'producer_not_allowed',
      'resource_in_use',
      'resource_built_in',
      'route_not_found',
    ],
  })
  async remove(
    @Param('kind') kind: string,
    @Param('name') name: string,
    @Query() { force }: RemoveResourceQuery,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<DoneAnswer> {
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
  @Documented({
    name: 'retry_resource',
    summary: 'Probes a model that failed again, and ends the pause that the provider of any asked for.',
    path: ONE,
    answer: outcomeAnswer,
    errors: ['resource_not_found', 'producer_not_allowed', 'route_not_found'],
  })
  async retry(@Param('kind') kind: string, @Param('name') name: string): Promise<OutcomeAnswer> {
    return fromOutcome(await this.rpc.call(retryResource, referenceOf(kind, name)));
  }
}
