import { getModelCall, listModelCalls, type OrganizationAccess } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  fromModelCall,
  fromModelCallDetails,
  ListModelCallsQuery,
  type ModelCallAnswer,
  modelCallAnswer,
  type ModelCallEntry,
  modelCallId,
  modelCallsAnswer,
} from './model-calls.wire.js';

/** What ingestion asked models, and what they replied. */
@Tagged('Ingestion')
@Controller('api/v2/ingestion/calls')
export class ModelCallsController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_model_calls',
    summary: 'Lists the calls of language models that ingestion made for a project, newest first.',
    description:
      'They are kept for `keep_calls_days` of the project (`POST /api/v2/memory/semantic/config`), by default a week, 1,000 at most; a call is gone with the first message or feature that it shows and that is deleted.',
    answer: modelCallsAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
  })
  async list(
    @Query() query: ListModelCallsQuery,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModelCallEntry[]> {
    const { set_id: setId, outcome, since, until } = query;
    const page = { pageSize: query.page_size, pageNum: query.page_num };
    const request = { tenant: tenantOf(query), organization, setId, outcome, since, until, ...page };
    const { calls, total } = await this.rpc.call(listModelCalls, request);
    void reply.header('x-total-count', total);
    return calls.map(fromModelCall);
  }

  @Get(':id')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_model_call',
    path: { id: modelCallId },
    summary: 'Shows a call: what the model was shown, what it replied, what it cost, and what became of it.',
    answer: modelCallAnswer,
    errors: ['model_call_not_found'],
  })
  async get(
    @Param('id') id: string,
    @Query() query: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<ModelCallAnswer> {
    const request = { tenant: tenantOf(query), organization, id };
    return fromModelCallDetails(await this.rpc.call(getModelCall, request));
  }
}
