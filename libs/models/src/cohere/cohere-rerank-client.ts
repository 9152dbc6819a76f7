import { isJsonObject } from '@loci/platform/schema';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type RerankClient, type RerankScore } from '../rerankers/rerank-client.js';
import { CohereStatusError } from './cohere-failure.js';
import { type CohereRerankerSettings } from './cohere-settings.js';

const MAX_ERROR_CHARACTERS = 1000;

/**
 * The v2 rerank endpoint of Cohere, called directly: it is one POST, for which the official SDK would bring its own
 * HTTP, streams and forms, all of them past the guard of addresses.
 */
export class CohereRerankClient implements RerankClient {
  constructor(
    private readonly settings: CohereRerankerSettings,
    private readonly guard: EgressGuard,
  ) {}

  async rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<RerankScore[]> {
    const { base_url: base, cohere_key: key, model } = this.settings;
    const response = await this.guard.fetch(`${base.replace(/\/+$/, '')}/v2/rerank`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ model, query, documents, top_n: documents.length }),
      signal,
    });
    if (response.status !== 200) {
      const text = (await response.text()).slice(0, MAX_ERROR_CHARACTERS);
      throw new CohereStatusError(response.status, response.headers, text);
    }
    return scoresIn(await response.json());
  }

  close(): Promise<void> {
    return this.guard.close();
  }
}

function scoresIn(reply: unknown): RerankScore[] {
  const results: unknown = isJsonObject(reply) ? reply['results'] : undefined;
  if (!Array.isArray(results)) return [];
  return results
    .filter(isJsonObject)
    .map(({ index, relevance_score: score }) => ({ index: asNumber(index), score: asNumber(score) }));
}

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
