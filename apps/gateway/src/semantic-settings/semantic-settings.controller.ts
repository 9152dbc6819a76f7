import {
  getSemanticSettings,
  type IdempotencyToken,
  type OrganizationAccess,
  updateSemanticSettings,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  ConfigureSemanticBody,
  type SemanticSettingsAnswer,
  semanticSettingsAnswer,
} from './semantic-settings.wire.js';

/** How a project uses semantic memory. */
@Tagged('Semantic Configuration')
@Controller('api/v2/memory/semantic')
export class SemanticSettingsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('config/get')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'get_semantic_memory_settings',
    summary:
      'Shows which producers a project trusts, whom its facts are about, and which calls of models it keeps.',
    answer: semanticSettingsAnswer,
    errors: ['project_not_found'],
  })
  async get(
    @Body() body: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<SemanticSettingsAnswer> {
    const { trustedProducers, factsOf, keepCallsDays, keepCallTexts } = await this.rpc.call(
      getSemanticSettings,
      {
        tenant: tenantOf(body),
        organization,
      },
    );
    return {
      trusted_producers: [...trustedProducers],
      facts_of: factsOf,
      keep_calls_days: keepCallsDays,
      keep_call_texts: keepCallTexts,
    };
  }

  @Post('config')
  @HttpCode(204)
  @Access('admin')
  @Documented({
    name: 'configure_semantic_memory_of_project',
    summary:
      'Says whose messages may change what other messages support, whom facts are about, and which calls of models are kept; what is absent stays.',
    description:
      'What messages of other producers bring about is marked `untrusted`, and changes untrusted features alone. It counts for every message that is ingested after the answer; features keep the trust that they have.',
    errors: ['project_not_found', 'producer_not_allowed'],
  })
  async configure(
    @Body() body: ConfigureSemanticBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(updateSemanticSettings, {
      tenant: tenantOf(body),
      organization,
      trustedProducers: body.trusted_producers ?? undefined,
      factsOf: body.facts_of ?? undefined,
      keepCallsDays: body.keep_calls_days ?? undefined,
      keepCallTexts: body.keep_call_texts ?? undefined,
      idempotency,
    });
  }
}
