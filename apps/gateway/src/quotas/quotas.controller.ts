import {
  getConfigQuotas,
  getSemanticQuotas,
  type IdempotencyToken,
  setConfigQuotas,
  setSemanticQuotas,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Get, Put, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  fromQuotas,
  organizationFrom,
  type QuotasAnswer,
  quotasAnswer,
  QuotasQuery,
  refuseUnknownQuotas,
  SetQuotasBody,
  toSetQuotas,
} from './quotas.wire.js';

/** What an organization may use of the deployment, and what it uses. */
@Tagged('Quotas')
@Controller('api/v2/quotas')
export class QuotasController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Access('read', { tenantFrom: 'organization' })
  @Documented({
    name: 'get_quotas',
    summary: 'Shows the quotas of an organization and its use of them.',
    description:
      'Takes a key that is bound to no project. Without `org_id`: the organization of your own key. A creation beyond a quota is refused with 403 `quota_exceeded`; what exists stays. Calls and tokens of language models count for a day of UTC; beyond them ingestion waits.',
    answer: quotasAnswer,
    errors: ['project_not_found'],
  })
  async get(@Query() query: QuotasQuery, @CurrentCaller() caller: Caller): Promise<QuotasAnswer> {
    const orgId = organizationFrom(query, caller);
    return fromQuotas(orgId, [
      await this.rpc.call(getConfigQuotas, { orgId }),
      await this.rpc.call(getSemanticQuotas, { orgId }),
    ]);
  }

  @Put()
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'set_quotas',
    summary: 'Sets the quotas of an organization, for administrators of the deployment.',
    description:
      'Replaces all of them: one that is absent or null gets the default of the deployment, and an unknown one is refused. A quota below the use refuses further creations and removes nothing.',
    answer: quotasAnswer,
    errors: ['producer_not_allowed', 'name_confusable'],
  })
  async set(
    @Body() body: SetQuotasBody,
    @Req() { body: given }: FastifyRequest,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<QuotasAnswer> {
    refuseUnknownQuotas(given);
    const request = toSetQuotas(body, idempotency);
    return fromQuotas(request.orgId, [
      await this.rpc.call(setConfigQuotas, request),
      await this.rpc.call(setSemanticQuotas, request),
    ]);
  }
}
