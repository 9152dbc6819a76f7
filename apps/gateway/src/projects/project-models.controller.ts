import {
  configureProject,
  getFeatureIndex,
  getProjectIndex,
  type IdempotencyToken,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { NamedProjectBody, tenantOf } from '../wire/tenant.wire.js';
import { fromProjectIndex, type ProjectIndexAnswer, projectIndexAnswer } from './project-index.wire.js';
import { ConfigureProjectBody, fromProject, type ProjectAnswer, projectAnswer } from './project.wire.js';

/** Which models a project uses, and how far its vectors are. Beyond the reference. */
@Tagged('Projects')
@Controller('api/v2/projects')
export class ProjectModelsController {
  constructor(private readonly rpc: RpcClient) {}

  @Put('config')
  @Access('write', { reveals: true })
  @Documented({
    name: 'configure_project',
    summary: 'Changes which models a project uses.',
    description:
      'What is absent or null stays; an empty name is the default of the deployment. Another embedder takes over when it has embedded everything; searches go on with the former one until then.',
    answer: projectAnswer,
    errors: ['project_not_found', 'producer_not_allowed', 'unknown_resource'],
  })
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
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_project_index',
    summary: 'Shows how far the vectors of a project are.',
    description: 'Those of its episodes, and those of the features of its sets.',
    answer: projectIndexAnswer,
    errors: ['project_not_found'],
  })
  async index(
    @Query() query: NamedProjectBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<ProjectIndexAnswer> {
    const tenant = tenantOf(query);
    const [episodes, features] = await Promise.all([
      this.rpc.call(getProjectIndex, { tenant }),
      this.rpc.call(getFeatureIndex, { tenant, organization }),
    ]);
    return fromProjectIndex(episodes, features);
  }
}
