import { inParts } from '@loci/platform';
import { type ProviderCalls } from '../calls/provider-calls.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { Reranker, type RerankOptions } from '../reranker.js';
import { type RerankClient } from './rerank-client.js';
import { PROVIDER_WEIGHT } from './reranker-weights.js';

/** A reranker behind any provider. */
export class ProviderReranker extends Reranker {
  readonly weight = PROVIDER_WEIGHT;

  constructor(
    private readonly client: RerankClient,
    private readonly calls: ProviderCalls,
  ) {
    super();
  }

  get name(): string {
    return this.calls.resource.name;
  }

  async score(
    query: string,
    candidates: readonly string[],
    { signal }: RerankOptions = {},
  ): Promise<number[]> {
    if (candidates.length === 0) return [];
    return this.calls.run((attempt) => this.attempt(query, candidates, attempt), { signal, isUrgent: true });
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async attempt(
    query: string,
    candidates: readonly string[],
    signal: AbortSignal,
  ): Promise<number[]> {
    const { batchSize = candidates.length, maxInputLength } = this.client;
    const asked = readable(query, maxInputLength);
    const texts = candidates.map((text) => readable(text, maxInputLength));
    const batches = inParts(texts, batchSize);
    const scores = await Promise.all(batches.map((batch) => this.scoresOf(asked, batch, signal)));
    return scores.flat();
  }

  private async scoresOf(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const scores = new Map<unknown, number | undefined>();
    for (const { index, score } of await this.client.rerank(query, texts, signal)) scores.set(index, score);
    return texts.map((_, index) => {
      const score = scores.get(index);
      if (score !== undefined && Number.isFinite(score)) return score;
      throw new ProviderFailure(
        'broken',
        'answered with something that is not one score per candidate; check the address',
      );
    });
  }
}

/** What a provider reads of a text: not nothing, which they refuse, nor half a character where it is cut off. */
function readable(text: string, maxLength = text.length): string {
  const read = text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text;
  return read.trim() === '' ? '-' : read;
}
