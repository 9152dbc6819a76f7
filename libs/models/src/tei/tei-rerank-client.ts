import { JsonApi } from '../calls/json-api.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type RerankClient, type RerankScore, scoresIn } from '../rerankers/rerank-client.js';
import { type TeiRerankerSettings } from './tei-settings.js';

/** A server of Text Embeddings Inference that runs a reranker. */
export class TeiRerankClient implements RerankClient {
  readonly batchSize: number;
  readonly maxInputLength: number;
  private readonly api: JsonApi;

  constructor(settings: TeiRerankerSettings, guard: EgressGuard) {
    this.batchSize = settings.batch_size;
    this.maxInputLength = settings.max_input_length;
    this.api = new JsonApi(guard, settings.base_url, settings.api_key);
  }

  async rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<RerankScore[]> {
    const { body } = await this.api.post('/rerank', { query, texts, truncate: true }, signal);
    return scoresIn(body, 'score');
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
