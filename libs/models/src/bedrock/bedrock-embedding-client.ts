import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbedInputType } from '../embedder.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { numberIn, vectorsIn } from '../embedding/vectors.js';
import { bedrockConnection } from './bedrock-connection.js';
import { type BedrockEmbedderSettings } from './bedrock-settings.js';

/** Titan reads 8192 tokens, Cohere's models 2048 characters. */
const TITAN_INPUT_LENGTH = 8000;
const COHERE_INPUT_LENGTH = 2048;

/** Titan and Cohere embedding models on Amazon Bedrock. */
export class BedrockEmbeddingClient implements EmbeddingClient {
  private readonly client: BedrockRuntimeClient;
  private readonly isCohere: boolean;

  constructor(
    private readonly settings: BedrockEmbedderSettings,
    private readonly guard: EgressGuard,
  ) {
    this.client = new BedrockRuntimeClient(bedrockConnection(settings, guard));
    this.isCohere = settings.model_id.includes('cohere.embed');
  }

  /** Titan takes one text at a time, so its texts are sent beside one another, under the limit of calls. */
  get batchSize(): number {
    return this.isCohere ? this.settings.batch_size : 1;
  }

  get maxInputLength(): number {
    return this.settings.max_input_length ?? (this.isCohere ? COHERE_INPUT_LENGTH : TITAN_INPUT_LENGTH);
  }

  embed(texts: readonly string[], inputType: EmbedInputType, signal: AbortSignal): Promise<EmbeddingReply> {
    return this.isCohere ? this.embedByCohere(texts, inputType, signal) : this.embedByTitan(texts, signal);
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.guard.close();
  }

  private async embedByTitan(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingReply> {
    const { dimensions, model_id: model } = this.settings;
    const shape = dimensions !== undefined && model.includes('titan-embed-text-v2') ? { dimensions } : {};
    const replies = await Promise.all(texts.map((inputText) => this.invoke({ inputText, ...shape }, signal)));
    return {
      vectors: vectorsIn(replies.map(({ embedding }) => embedding)),
      inputTokens: replies.reduce((sum, reply) => sum + (numberIn(reply['inputTextTokenCount']) ?? 0), 0),
    };
  }

  private async embedByCohere(
    texts: readonly string[],
    inputType: EmbedInputType,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const body = { texts, input_type: `search_${inputType}`, truncate: 'END' };
    const { embeddings } = await this.invoke(body, signal);
    const vectors = isJsonObject(embeddings) ? embeddings['float'] : embeddings;
    return { vectors: vectorsIn(vectors), inputTokens: 0 };
  }

  private async invoke(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const reply = await this.client.send(
      new InvokeModelCommand({
        modelId: this.settings.model_id,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify(body),
      }),
      { abortSignal: signal },
    );
    const json: unknown = JSON.parse(Buffer.from(reply.body).toString('utf8'));
    return isJsonObject(json) ? json : {};
  }
}
