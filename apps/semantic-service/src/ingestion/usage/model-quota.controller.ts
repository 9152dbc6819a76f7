import {
  type Done,
  reserveModelCall,
  type ReservedModelCall,
  type ReserveModelCallRequest,
  settleModelCall,
  type SettleModelCallRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Registry } from '@loci/registry';
import { Controller } from '@nestjs/common';
import { costOf, pricesIn } from './model-prices.js';
import { ModelQuotas } from './model-quotas.js';
import { UsageRepository } from './usage.repository.js';

/** Counts what other services ask of language models, with what ingestion asks, for the quotas of the organization. */
@Controller()
export class ModelQuotaController {
  constructor(
    private readonly quotas: ModelQuotas,
    private readonly usage: UsageRepository,
    private readonly registry: Registry,
  ) {}

  @Handle(reserveModelCall)
  async reserve({ orgId }: ReserveModelCallRequest): Promise<ReservedModelCall> {
    const { day } = await this.quotas.reserve(orgId);
    return { day };
  }

  @Handle(settleModelCall)
  async settle({ project, day, model, ...used }: SettleModelCallRequest): Promise<Done> {
    const prices = pricesIn(this.registry.resource('language_model', model)?.config ?? {});
    const cost = prices && costOf(used, prices);
    const { orgId } = project.tenant;
    const tokens = used.inputTokens + used.outputTokens;
    await this.quotas.settle({ orgId, day }, { calls: used.calls, tokens, cost });
    await this.usage.add({ orgId, projectUid: project.projectUid }, model, { ...used, cost });
    return {};
  }
}
