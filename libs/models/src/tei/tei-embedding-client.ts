import { JsonApi } from '../calls/json-api.js';
import { type EmbedInputType } from '../embedder.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { vectorsIn } from '../embedding/vectors.js';
import { type TeiEmbedderSettings } from './tei-settings.js';

/** A server of Text Embeddings Inference that runs an embedding model. */
export class TeiEmbeddingClient implements EmbeddingClient {
  readonly batchSize: number;
  readonly maxInputLength: number;
  private readonly api: JsonApi;

  constructor(
    private readonly settings: TeiEmbedderSettings,
    guard: EgressGuard,
  ) {
    this.batchSize = settings.batch_size;
    this.maxInputLength = settings.max_input_length;
    this.api = new JsonApi(guard, settings.base_url, settings.api_key);
  }

  async embed(
    texts: readonly string[],
    inputType: EmbedInputType,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const { query_prompt_name: ofQuery, document_prompt_name: ofDocument, dimensions } = this.settings;
    const prompt = inputType === 'query' ? ofQuery : ofDocument;
    const { body, headers } = await this.api.post(
      '/embed',
      {
        inputs: texts,
        truncate: true,
        ...(prompt !== undefined && { prompt_name: prompt }),
        ...(dimensions !== undefined && { dimensions }),
      },
      signal,
    );
    return { vectors: vectorsIn(body), inputTokens: Number(headers.get('x-compute-tokens') ?? 0) || 0 };
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
