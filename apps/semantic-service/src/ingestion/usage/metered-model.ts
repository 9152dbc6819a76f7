import { type JsonRequest, type LanguageModel, type ModelUsage, totalUsage } from '@loci/models';
import { type Logger } from '@loci/platform';
import { type Owner } from '../../projects/project.js';
import { costOf, type ModelPrices } from './model-prices.js';
import { type ModelQuotas, type ReservedCall } from './model-quotas.js';
import { type UsageRepository } from './usage.repository.js';

/** What calls took together. */
export interface CallsMade {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Absent without prices. */
  readonly cost?: number | undefined;
}

export interface PricedModel {
  readonly model: LanguageModel;
  /** Undefined when the configuration does not name its price. */
  readonly prices: ModelPrices | undefined;
}

/** What a pass waits for within a call; for longer pauses its set gives its slot to others. */
const MAX_PAUSE_MS = 2_000;

/**
 * A language model whose every call is counted for its owner before anything is made of the reply: what was paid for is
 * counted although the work that it was for comes to nothing.
 */
export class MeteredModel {
  private made: CallsMade = { calls: 0, inputTokens: 0, outputTokens: 0 };

  constructor(
    private readonly priced: PricedModel,
    private readonly owner: Owner,
    private readonly usage: UsageRepository,
    private readonly quotas: Pick<ModelQuotas, 'reserve' | 'settle'>,
    private readonly logger: Logger,
    /** Called before each request; what it throws ends the call. */
    private readonly beforeRequest?: () => void,
  ) {}

  get name(): string {
    return this.priced.model.name;
  }

  /** What was asked through this one. */
  get spent(): CallsMade {
    return this.made;
  }

  /**
   * As the model's own.
   * @param onEnd told what this call took
   * @throws AppError `model_quota_exceeded` instead of asking
   */
  async generateJson(request: JsonRequest, onEnd?: (made: CallsMade) => void): Promise<unknown> {
    const reserved = await this.quotas.reserve(this.owner.orgId);
    const replies: ModelUsage[] = [];
    try {
      const onUsage = (used: ModelUsage): void => void replies.push(used);
      const { value } = await this.priced.model.generateJson({
        ...request,
        onUsage,
        beforeRequest: this.beforeRequest,
        maxPauseMs: MAX_PAUSE_MS,
      });
      const made = await this.count(reserved, replies, 0);
      onEnd?.(made);
      return value;
    } catch (error) {
      const made = await this.count(reserved, replies, 1);
      onEnd?.(made);
      throw error;
    }
  }

  /** A count that is lost must not cost the reply. */
  private async count(
    reserved: ReservedCall,
    replies: readonly ModelUsage[],
    failures: number,
  ): Promise<CallsMade> {
    const total = totalUsage(replies);
    const { prices } = this.priced;
    const cost = prices && costOf(total, prices);
    this.made = {
      calls: this.made.calls + replies.length,
      inputTokens: this.made.inputTokens + total.inputTokens,
      outputTokens: this.made.outputTokens + total.outputTokens,
      cost: cost === undefined ? this.made.cost : (this.made.cost ?? 0) + cost,
    };
    try {
      const tokens = total.inputTokens + total.outputTokens;
      await Promise.all([
        this.quotas.settle(reserved, { calls: replies.length, tokens, cost }),
        this.usage.add(this.owner, this.name, { calls: replies.length, failures, ...total, cost }),
      ]);
    } catch (error) {
      this.logger.warn('the cost of a call could not be counted', { model: this.name, error });
    }
    const { inputTokens, outputTokens } = total;
    return { calls: replies.length, inputTokens, outputTokens, cost };
  }
}
