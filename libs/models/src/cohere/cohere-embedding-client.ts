import { isJsonObject } from '@loci/platform/schema';
import { JsonApi } from '../calls/json-api.js';
import { type EmbedInputType } from '../embedder.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { numberIn, vectorsIn } from '../embedding/vectors.js';
import { type CohereEmbedderSettings } from './cohere-settings.js';

/** Models before v4 read 512 tokens, later ones 128,000. */
const SHORT_INPUT_LENGTH = 2048;
const INPUT_LENGTH = 32_000;
const IS_BEFORE_V4 = /-v[123]\./;

/** The v2 embed endpoint of Cohere. */
export class CohereEmbeddingClient implements EmbeddingClient {
  readonly batchSize: number;
  readonly maxInputLength: number;
  readonly maxBatchLength = 100_000;
  private readonly api: JsonApi;
  private readonly isBeforeV4: boolean;

  constructor(
    private readonly settings: CohereEmbedderSettings,
    guard: EgressGuard,
  ) {
    this.isBeforeV4 = IS_BEFORE_V4.test(settings.model);
    this.batchSize = settings.batch_size;
    this.maxInputLength = settings.max_input_length ?? (this.isBeforeV4 ? SHORT_INPUT_LENGTH : INPUT_LENGTH);
    this.api = new JsonApi(guard, settings.base_url, settings.cohere_key);
  }

  async embed(
    texts: readonly string[],
    inputType: EmbedInputType,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const { model, dimensions } = this.settings;
    const { body } = await this.api.post(
      '/v2/embed',
      {
        model,
        texts,
        input_type: `search_${inputType}`,
        embedding_types: ['float'],
        truncate: 'END',
        ...(dimensions !== undefined && !this.isBeforeV4 && { output_dimension: dimensions }),
      },
      signal,
    );
    const { embeddings, meta } = isJsonObject(body) ? body : {};
    const billed = isJsonObject(meta) ? meta['billed_units'] : undefined;
    return {
      vectors: vectorsIn(isJsonObject(embeddings) ? embeddings['float'] : undefined),
      inputTokens: (isJsonObject(billed) ? numberIn(billed['input_tokens']) : undefined) ?? 0,
    };
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
