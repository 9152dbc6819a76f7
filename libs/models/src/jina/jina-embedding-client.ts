import { JsonApi } from '../calls/json-api.js';
import { type EmbedInputType } from '../embedder.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { listedReply } from '../embedding/vectors.js';
import { type JinaEmbedderSettings } from './jina-settings.js';

const MAX_BATCH_LENGTH = 200_000;

/** Models of the second generation know no tasks. */
const KNOWS_NO_TASK = /-v2-/;
const TASKS = { query: 'retrieval.query', document: 'retrieval.passage' } as const;

/** The embeddings of Jina AI. */
export class JinaEmbeddingClient implements EmbeddingClient {
  readonly batchSize: number;
  readonly maxInputLength: number;
  readonly maxBatchLength = MAX_BATCH_LENGTH;
  private readonly api: JsonApi;

  constructor(
    private readonly settings: JinaEmbedderSettings,
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
        ...(!KNOWS_NO_TASK.test(model) && { task: TASKS[inputType] }),
        ...(dimensions !== undefined && { dimensions }),
        embedding_type: 'float',
        truncate: true,
      },
      signal,
    );
    return listedReply(body);
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
