import { isJsonObject } from '@loci/platform/schema';
import { JsonApi } from '../calls/json-api.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type RerankClient, type RerankScore, scoresIn } from '../rerankers/rerank-client.js';
import { type VoyageRerankerSettings } from './voyage-settings.js';

/** The rerankers of Voyage AI. */
export class VoyageRerankClient implements RerankClient {
  readonly maxInputLength: number;
  private readonly api: JsonApi;

  constructor(
    private readonly settings: VoyageRerankerSettings,
    guard: EgressGuard,
  ) {
    this.maxInputLength = settings.max_input_length;
    this.api = new JsonApi(guard, settings.base_url, settings.api_key);
  }

  async rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<RerankScore[]> {
    const { model } = this.settings;
    const { body } = await this.api.post('/rerank', { model, query, documents, truncation: true }, signal);
    return scoresIn(isJsonObject(body) ? body['data'] : undefined, 'relevance_score');
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
