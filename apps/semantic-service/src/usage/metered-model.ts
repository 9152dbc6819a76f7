import { type JsonRequest, type LanguageModel } from '@loci/models';
import { type Logger } from '@loci/platform';
import { type UsageOwner, type UsageRepository } from './usage.repository.js';

/** A language model whose every call is counted for its owner, also one whose reply is of no use. */
export class MeteredModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly owner: UsageOwner,
    private readonly usage: UsageRepository,
    private readonly logger: Logger,
  ) {}

  get name(): string {
    return this.model.name;
  }

  /** As the model's own. */
  async generateJson(request: JsonRequest): Promise<unknown> {
    const counted: Promise<void>[] = [];
    try {
      const reply = await this.model.generateJson({
        ...request,
        onUsage: (used) => counted.push(this.usage.add(this.owner, this.model.name, used)),
      });
      return reply.value;
    } finally {
      await this.settled(counted);
    }
  }

  /** A count that is lost must not cost the reply. */
  private async settled(counted: readonly Promise<void>[]): Promise<void> {
    for (const result of await Promise.allSettled(counted)) {
      if (result.status === 'rejected') {
        const error: unknown = result.reason;
        this.logger.warn('the cost of a call could not be counted', { model: this.model.name, error });
      }
    }
  }
}
