import { type ChatRequest, type ChatResponse, type Options } from 'ollama/browser';
import { httpFailure } from '../calls/http-status-error.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import {
  type Completion,
  type CompletionClient,
  type CompletionRequest,
} from '../generation/completion-client.js';
import { ReplyFormats, withSchemaInPrompt } from '../generation/reply-format.js';
import { toStrictSchema } from '../generation/strict-schema.js';
import { keepAlive, ollamaClient } from './ollama-client.js';
import { type OllamaLanguageModelSettings } from './ollama-settings.js';

/**
 * The chat API of Ollama. The schema of a reply constrains decoding; of the beginning of a request the server keeps by itself
 * what the model has read, and does not say how much.
 */
export class OllamaChatClient implements CompletionClient {
  private readonly formats = new ReplyFormats(['schema', 'json', 'words']);

  constructor(
    private readonly settings: OllamaLanguageModelSettings,
    private readonly guard: EgressGuard,
  ) {}

  async complete(request: CompletionRequest): Promise<Completion> {
    const { json, messages } = request;
    if (!json) return this.send(request, {});
    return this.formats.tryEach((format) => {
      if (format === 'schema')
        return this.send(request, { format: toStrictSchema(json.schema) ?? json.schema });
      const prompted = { ...request, messages: withSchemaInPrompt(messages, json) };
      return this.send(prompted, format === 'json' ? { format } : {});
    }, httpFailure);
  }

  close(): Promise<void> {
    return this.guard.close();
  }

  private async send(
    { messages, maxOutputTokens, signal }: CompletionRequest,
    format: Pick<ChatRequest, 'format'>,
  ): Promise<Completion> {
    const { model, reasoning_effort: effort } = this.settings;
    const request = {
      model,
      messages: messages.map(({ role, content }) => ({ role, content })),
      stream: false,
      // what does not fit is refused: cut off in silence, it would count as read
      truncate: false,
      options: this.options(maxOutputTokens),
      ...(effort !== undefined && { think: effort === 'none' ? false : effort }),
      ...keepAlive(this.settings),
      ...format,
    } as const;
    return toCompletion(await ollamaClient(this.settings, this.guard, signal).chat(request));
  }

  private options(maxOutputTokens: number | undefined): Partial<Options> {
    const { temperature, max_output_tokens: mostTokens, context_length: context } = this.settings;
    const outputLimit = maxOutputTokens ?? mostTokens;
    return {
      ...(temperature !== undefined && { temperature }),
      ...(outputLimit !== undefined && { num_predict: outputLimit }),
      ...(context !== undefined && { num_ctx: context }),
    };
  }
}

function toCompletion(given: Partial<ChatResponse> | null): Completion {
  const reply = given ?? {};
  const text: unknown = reply.message?.content;
  if (typeof text !== 'string') {
    throw new ProviderFailure(
      'broken',
      'answered with something that is not a reply of Ollama; check the address',
    );
  }
  return {
    text,
    end: reply.done_reason === 'length' ? 'cut_off' : 'complete',
    usage: { inputTokens: reply.prompt_eval_count ?? 0, outputTokens: reply.eval_count ?? 0 },
  };
}
