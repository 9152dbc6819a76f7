import type OpenAI from 'openai';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type EmbedInputType } from '../embedder.js';
import { type EmbeddingClient, type EmbeddingReply } from '../embedding/embedding-client.js';
import { listedReply } from '../embedding/vectors.js';
import { openAiEndpoint } from './openai-client.js';
import { openAiFailure } from './openai-failure.js';
import { type OpenAiEmbedderSettings } from './openai-settings.js';

/** 8191 tokens are read, and a token is seldom less than a character. */
const MAX_INPUT_LENGTH = 8000;

/** The embeddings API, of OpenAI or any server that speaks it. */
export class OpenAiEmbeddingClient implements EmbeddingClient {
  private readonly client: OpenAI;
  private sendsDimensions: boolean;

  constructor(
    private readonly settings: OpenAiEmbedderSettings,
    private readonly guard: EgressGuard,
  ) {
    this.client = openAiEndpoint(settings, guard).client;
    this.sendsDimensions = settings.dimensions !== undefined;
  }

  get batchSize(): number {
    return this.settings.batch_size;
  }

  get maxInputLength(): number {
    return this.settings.max_input_length ?? MAX_INPUT_LENGTH;
  }

  /** Not every model can shorten its vectors: a server that complains is asked again without. */
  async embed(
    texts: readonly string[],
    _inputType: EmbedInputType,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const { dimensions } = this.settings;
    if (!this.sendsDimensions || dimensions === undefined) return this.send(texts, {}, signal);
    try {
      return await this.send(texts, { dimensions }, signal);
    } catch (error) {
      const failure = openAiFailure(error);
      if (failure.reason !== 'rejected' || !/dimension|matryoshka/i.test(failure.providerText ?? ''))
        throw failure;
      this.sendsDimensions = false;
      return this.send(texts, {}, signal);
    }
  }

  close(): Promise<void> {
    return this.guard.close();
  }

  private async send(
    texts: readonly string[],
    shape: { readonly dimensions?: number },
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const { model } = this.settings;
    const reply: unknown = await this.client.embeddings.create(
      // servers that are not OpenAI's often know no other encoding
      { model, input: [...texts], encoding_format: 'float', ...shape },
      { signal },
    );
    return listedReply(reply, 'prompt_tokens');
  }
}
