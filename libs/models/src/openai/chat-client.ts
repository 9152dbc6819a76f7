import { isJsonObject } from '@loci/platform/schema';
import {
  type ChatCompletion,
  type ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import {
  type Completion,
  type CompletionClient,
  type CompletionRequest,
  type ReplySchema,
} from '../generation/completion-client.js';
import { ReplyFormats, withSchemaInPrompt } from '../generation/reply-format.js';
import { toStrictSchema } from '../generation/strict-schema.js';
import { cacheKeyOf } from './cache-key.js';
import { type OpenAiEndpoint } from './openai-client.js';
import { openAiFailure } from './openai-failure.js';
import { type OpenAiGenerationSettings } from './openai-settings.js';

type Params = ChatCompletionCreateParamsNonStreaming;

/** The Chat Completions API, of OpenAI or any server that speaks it. */
export class ChatClient implements CompletionClient {
  private readonly formats = new ReplyFormats(['json_schema', 'json_object', 'prompt']);

  constructor(
    private readonly settings: OpenAiGenerationSettings,
    private readonly endpoint: OpenAiEndpoint,
    private readonly guard: EgressGuard,
  ) {}

  async complete(request: CompletionRequest): Promise<Completion> {
    const { json } = request;
    if (!json) return this.send(request, {});
    return this.formats.tryEach((format) => {
      if (format === 'json_schema') return this.send(request, { response_format: jsonSchema(json) });
      const prompted = { ...request, messages: withSchemaInPrompt(request.messages, json) };
      return this.send(
        prompted,
        format === 'json_object' ? { response_format: { type: 'json_object' } } : {},
      );
    }, openAiFailure);
  }

  close(): Promise<void> {
    return this.guard.close();
  }

  private async send(
    { messages, maxOutputTokens, signal }: CompletionRequest,
    format: Pick<Params, 'response_format'>,
  ): Promise<Completion> {
    const { model, temperature, reasoning_effort: effort } = this.settings;
    const body: Params = {
      model,
      messages: messages.map(({ role, content }) => ({ role, content })),
      ...this.outputLimit(maxOutputTokens ?? this.settings.max_output_tokens ?? undefined),
      ...(temperature !== undefined && { temperature }),
      ...(effort !== undefined && { reasoning_effort: effort }),
      ...cacheKeyOf(this.endpoint, messages),
      ...format,
    };
    return toCompletion(await this.endpoint.client.chat.completions.create(body, { signal }));
  }

  /** OpenAI's newer models refuse `max_tokens`; other servers often know nothing else. */
  private outputLimit(limit: number | undefined): Readonly<Record<string, number>> {
    if (limit === undefined) return {};
    return { [this.endpoint.isOfOpenAi ? 'max_completion_tokens' : 'max_tokens']: limit };
  }
}

function jsonSchema({ name, schema }: ReplySchema): NonNullable<Params['response_format']> {
  const strict = toStrictSchema(schema);
  return { type: 'json_schema', json_schema: { name, schema: strict ?? schema, strict: Boolean(strict) } };
}

/** @param reply as it came: the SDK checks nothing */
function toCompletion(reply: Partial<ChatCompletion> | null): Completion {
  const { choices, usage } = reply ?? {};
  const [choice] = Array.isArray(choices) ? choices : [];
  const message: unknown = choice?.message;
  if (!choice || !isJsonObject(message)) throw notACompletion();
  const text = message['content'] ?? '';
  if (typeof text !== 'string') throw notACompletion();
  const isRefused = Boolean(message['refusal']) || choice.finish_reason === 'content_filter';
  return {
    text,
    end: isRefused ? 'refused' : choice.finish_reason === 'length' ? 'cut_off' : 'complete',
    usage: {
      inputTokens: usage?.prompt_tokens ?? 0,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
    },
  };
}

const notACompletion = (): ProviderFailure =>
  new ProviderFailure('broken', 'answered with something that is not a chat completion; check the address');
