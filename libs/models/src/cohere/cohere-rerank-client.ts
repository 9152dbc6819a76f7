import { isJsonObject } from '@loci/platform/schema';
import { JsonApi } from '../calls/json-api.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type RerankClient, type RerankScore, scoresIn } from '../rerankers/rerank-client.js';
import { type CohereRerankerSettings } from './cohere-settings.js';

/** The v2 rerank endpoint of Cohere. */
export class CohereRerankClient implements RerankClient {
  private readonly api: JsonApi;

  constructor(
    private readonly settings: CohereRerankerSettings,
    guard: EgressGuard,
  ) {
    this.api = new JsonApi(guard, settings.base_url, settings.cohere_key);
  }

  async rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<RerankScore[]> {
    const { model } = this.settings;
    const { body } = await this.api.post(
      '/v2/rerank',
      { model, query, documents, top_n: documents.length },
      signal,
    );
    return scoresIn(isJsonObject(body) ? body['results'] : undefined, 'relevance_score');
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
