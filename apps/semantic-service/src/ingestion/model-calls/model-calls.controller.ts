import {
  getModelCall,
  type GetModelCallRequest,
  listModelCalls,
  type ListModelCallsRequest,
  type ModelCall,
  type ModelCallDetails,
  type ModelCallList,
  notFound,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { ProjectsService } from '../../projects/projects.service.js';
import { type ListedCall } from './model-call.js';
import { ModelCallsRepository } from './model-calls.repository.js';

@Controller()
export class ModelCallsController {
  constructor(
    private readonly calls: ModelCallsRepository,
    private readonly projects: ProjectsService,
  ) {}

  @Handle(listModelCalls)
  async list(request: ListModelCallsRequest): Promise<ModelCallList> {
    const { pageSize, pageNum, outcome } = request;
    const wanted = { ...request, isFailed: outcome && outcome === 'failed' };
    const page = { offset: pageSize * pageNum, limit: pageSize };
    const { calls, total } = await this.calls.list(await this.projects.scope(request), wanted, page);
    return { calls: calls.map(toContract), total };
  }

  @Handle(getModelCall)
  async get(request: GetModelCallRequest): Promise<ModelCallDetails> {
    const scope = await this.projects.scope(request);
    const call = isUuid(request.id) ? await this.calls.find(scope, request.id) : undefined;
    if (!call)
      throw notFound('model_call_not_found', 'There is no such call; list them to see which are kept.');
    const { readUids, made, prompt, reply, isCut, expiresAt } = call;
    return {
      ...toContract(call),
      episodeIds: readUids,
      made: made.map(({ uid, ...one }) => ({ featureId: uid, ...one })),
      prompt,
      reply,
      isCut,
      expiresAt,
    };
  }
}

const toContract = (call: ListedCall): ModelCall => ({
  id: call.uid,
  setId: call.setId,
  kind: call.kind,
  categories: call.categories,
  model: call.model,
  code: call.failure?.code,
  reason: call.failure?.reason,
  replies: call.replies,
  inputTokens: call.inputTokens,
  outputTokens: call.outputTokens,
  cost: call.cost,
  durationMs: call.durationMs,
  messages: call.messages,
  features: call.features,
  begunAt: call.begunAt,
});
