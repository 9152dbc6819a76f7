import { type EmbedInputType } from '../embedder.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { numberIn, vectorsIn } from '../embedding/vectors.js';
import { keepAlive, ollamaClient } from './ollama-client.js';
import { type OllamaEmbedderSettings } from './ollama-settings.js';

/** Embedding models of Ollama. What a text is, a prefix says, to models that know one. */
export class OllamaEmbeddingClient implements EmbeddingClient {
  readonly batchSize: number;
  readonly maxInputLength: number;

  constructor(
    private readonly settings: OllamaEmbedderSettings,
    private readonly guard: EgressGuard,
  ) {
    this.batchSize = settings.batch_size;
    this.maxInputLength = settings.max_input_length;
  }

  async embed(
    texts: readonly string[],
    inputType: EmbedInputType,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const { model, dimensions, query_prefix, document_prefix } = this.settings;
    const prefix = (inputType === 'query' ? query_prefix : document_prefix) ?? '';
    const reply: Partial<Record<string, unknown>> = {
      ...(await ollamaClient(this.settings, this.guard, signal).embed({
        model,
        input: texts.map((text) => prefix + text),
        truncate: true,
        ...(dimensions !== undefined && { dimensions }),
        ...keepAlive(this.settings),
      })),
    };
    return {
      vectors: vectorsIn(reply['embeddings']),
      inputTokens: numberIn(reply['prompt_eval_count']) ?? 0,
    };
  }

  close(): Promise<void> {
    return this.guard.close();
  }
}
