import { JsonApi } from '../calls/json-api.js';
import { type EmbedInputType } from '../embedder.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { listedReply } from '../embedding/vectors.js';
import { type VoyageEmbedderSettings } from './voyage-settings.js';

/** Of the smallest limit, 120,000 tokens, and a token is seldom less than a character. */
const MAX_BATCH_LENGTH = 100_000;

/** The embeddings of Voyage AI. */
export class VoyageEmbeddingClient implements EmbeddingClient {
  readonly batchSize: number;
  readonly maxInputLength: number;
  readonly maxBatchLength = MAX_BATCH_LENGTH;
  private readonly api: JsonApi;

  constructor(
    private readonly settings: VoyageEmbedderSettings,
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
    const { model, dimensions } = this.settings;
    const { body } = await this.api.post(
      '/embeddings',
      {
        model,
        input: texts,
        input_type: inputType,
        truncation: true,
        ...(dimensions !== undefined && { output_dimension: dimensions }),
      },
      signal,
    );
    return listedReply(body);
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
