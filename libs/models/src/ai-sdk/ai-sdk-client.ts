import {
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4Message,
  type SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { checkedFetch } from '../calls/checked-fetch.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type EgressGuard, type GuardedFetch } from '../egress/egress-guard.js';
import {
  type Completion,
  type CompletionClient,
  type CompletionRequest,
  type ReplySchema,
} from '../generation/completion-client.js';
import { ReplyFormats, withSchemaInPrompt } from '../generation/reply-format.js';
import { toStrictSchema } from '../generation/strict-schema.js';
import { type ChatMessage } from '../language-model.js';

/** A reply may come in parts, each of them asked for: that many at most. */
const MAX_PARTS = 8;

/** A way to ask for JSON. */
export interface JsonFormat {
  /** `strict`: the schema in the form that constrains decoding; `plain`: as it is; `words`: in the prompt alone. */
  readonly schema: 'strict' | 'plain' | 'words';
  readonly options?: SharedV4ProviderOptions;
}

/** What one provider of the AI SDK differs by. */
export interface AiSdkProvider {
  readonly model: (fetch: typeof globalThis.fetch) => LanguageModelV4;
  /** How replies are written; what is absent is not sent. */
  readonly settings: {
    readonly temperature?: number | undefined;
    readonly max_output_tokens?: number | undefined;
    readonly reasoning_effort?: LanguageModelV4CallOptions['reasoning'];
  };
  /** Strictest first. */
  readonly formats: readonly [JsonFormat, ...JsonFormat[]];
  /** Marks the end of what is the same in many requests; absent where the provider finds it by itself. */
  readonly endOfBeginning?: SharedV4ProviderOptions;
  /** What an error of a call means. */
  readonly toFailure: (error: unknown) => ProviderFailure;
}

/** A language model by a provider package of the AI SDK: it knows the protocol, all else is ours. */
export class AiSdkClient implements CompletionClient {
  private readonly formats: ReplyFormats<JsonFormat>;
  private readonly fetch: GuardedFetch;

  constructor(
    private readonly provider: AiSdkProvider,
    private readonly guard: EgressGuard,
  ) {
    this.formats = new ReplyFormats(provider.formats);
    this.fetch = checkedFetch(guard);
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const { json, messages } = request;
    if (!json) return this.send(request, {});
    return this.formats.tryEach((format) => {
      const { schema, options } = format;
      const asked =
        schema === 'words' ? { ...request, messages: withSchemaInPrompt(messages, json) } : request;
      return this.send(asked, {
        responseFormat: responseFormat(json, schema),
        ...(options && { providerOptions: options }),
      });
    }, this.provider.toFailure);
  }

  close(): Promise<void> {
    return this.guard.close();
  }

  private async send(
    { messages, maxOutputTokens, signal }: CompletionRequest,
    format: Pick<LanguageModelV4CallOptions, 'responseFormat' | 'providerOptions'>,
  ): Promise<Completion> {
    const { temperature, max_output_tokens: mostTokens, reasoning_effort: effort } = this.provider.settings;
    const outputLimit = maxOutputTokens ?? mostTokens;
    // the types of undici and of Node's own fetch differ in name only
    const model = this.provider.model(atMost(MAX_PARTS, this.fetch) as unknown as typeof fetch);
    const result = await model.doGenerate({
      prompt: this.promptOf(messages),
      abortSignal: signal,
      ...(outputLimit !== undefined && { maxOutputTokens: outputLimit }),
      ...(temperature !== undefined && { temperature }),
      ...(effort !== undefined && { reasoning: effort }),
      ...format,
    });
    return toCompletion(result);
  }

  private promptOf(messages: readonly ChatMessage[]): LanguageModelV4Message[] {
    const end = this.provider.endOfBeginning;
    const last = messages.findLastIndex(({ role }) => role === 'system');
    return messages.map(({ role, content }, index) =>
      role === 'system'
        ? { role, content, ...(end && index === last && { providerOptions: end }) }
        : { role, content: [{ type: 'text', text: content }] },
    );
  }
}

function responseFormat(
  { name, schema }: ReplySchema,
  form: JsonFormat['schema'],
): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  if (form === 'words') return { type: 'json' };
  const sent = form === 'strict' ? (toStrictSchema(schema) ?? schema) : schema;
  return { type: 'json', name, schema: sent };
}

/** The fetch of one call. A server that goes on asking to be asked is given up. */
function atMost(times: number, fetch: GuardedFetch): GuardedFetch {
  let left = times;
  return (url, init) => {
    left -= 1;
    if (left >= 0) return fetch(url, init);
    throw new ProviderFailure('broken', 'gives its reply in more parts than any that makes sense');
  };
}

function toCompletion({ content, finishReason, usage }: LanguageModelV4GenerateResult): Completion {
  const { unified, raw } = finishReason;
  if (unified === 'error' || (content.length === 0 && raw === undefined)) throw notAReply();
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    end: unified === 'content-filter' ? 'refused' : unified === 'length' ? 'cut_off' : 'complete',
    usage: {
      inputTokens: usage.inputTokens.total ?? 0,
      cachedTokens: usage.inputTokens.cacheRead ?? 0,
      outputTokens: usage.outputTokens.total ?? 0,
    },
  };
}

export const notAReply = (): ProviderFailure =>
  new ProviderFailure(
    'broken',
    'answered with something that is not a reply of its protocol; check the address',
  );
