import { type ProjectReference, reserveModelCall, settleModelCall } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import {
  type LanguageModel,
  type ModelUsage,
  type TextReply,
  type TextRequest,
  totalUsage,
} from '@loci/models';
import { type Logger } from '@loci/platform';

/**
 * A language model whose calls count for the quotas of the organization of a project, as those of ingestion do. The semantic
 * service counts them all: what was paid for counts although nothing came of it.
 */
export class MeteredModel {
  constructor(
    private readonly model: Pick<LanguageModel, 'name' | 'generateText'>,
    private readonly project: ProjectReference,
    private readonly rpc: Pick<RpcClient, 'call'>,
    private readonly logger: Logger,
  ) {}

  /**
   * As the model's own.
   * @throws AppError `model_quota_exceeded` instead of asking; `service_unavailable` when the call cannot be counted
   */
  async generateText(request: TextRequest): Promise<TextReply> {
    const { day } = await this.rpc.call(reserveModelCall, { orgId: this.project.tenant.orgId });
    const replies: ModelUsage[] = [];
    try {
      const onUsage = (used: ModelUsage): void => void replies.push(used);
      const reply = await this.model.generateText({ ...request, onUsage });
      await this.settle(day, replies, 0);
      return reply;
    } catch (error) {
      await this.settle(day, replies, 1);
      throw error;
    }
  }

  /** A count that is lost must not cost the reply. */
  private async settle(day: string, replies: readonly ModelUsage[], failures: number): Promise<void> {
    try {
      await this.rpc.call(settleModelCall, {
        day,
        project: this.project,
        model: this.model.name,
        calls: replies.length,
        failures,
        ...totalUsage(replies),
      });
    } catch (error) {
      this.logger.warn('the cost of a call could not be counted', { model: this.model.name, error });
    }
  }
}
