import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import {
  type Response,
  type ResponseCreateParamsNonStreaming,
  type ResponseFormatTextJSONSchemaConfig,
} from 'openai/resources/responses/responses';
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

/** The Responses API of OpenAI. */
export class ResponsesClient implements CompletionClient {
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
      if (format === 'json_schema') return this.send(request, { text: { format: jsonSchema(json) } });
      const prompted = { ...request, messages: withSchemaInPrompt(request.messages, json) };
      return this.send(prompted, format === 'json_object' ? { text: { format: { type: format } } } : {});
    }, openAiFailure);
  }

  close(): Promise<void> {
    return this.guard.close();
  }

  private async send(
    { messages, maxOutputTokens, signal }: CompletionRequest,
    format: Pick<ResponseCreateParamsNonStreaming, 'text'>,
  ): Promise<Completion> {
    const { model, temperature, max_output_tokens: mostTokens, reasoning_effort: effort } = this.settings;
    const outputLimit = maxOutputTokens ?? mostTokens;
    const body: ResponseCreateParamsNonStreaming = {
      model,
      input: messages.map(({ role, content }) => ({ role, content })),
      // memory text is not for keeping at the provider
      store: false,
      ...(outputLimit !== undefined && { max_output_tokens: outputLimit }),
      ...(temperature !== undefined && { temperature }),
      ...(effort !== undefined && { reasoning: { effort } }),
      ...cacheKeyOf(this.endpoint, messages),
      ...format,
    };
    return toCompletion(await this.endpoint.client.responses.create(body, { signal }));
  }
}

function jsonSchema({ name, schema }: ReplySchema): ResponseFormatTextJSONSchemaConfig {
  const strict = toStrictSchema(schema);
  return { type: 'json_schema', name, schema: { ...(strict ?? schema) }, strict: Boolean(strict) };
}

type Usage = NonNullable<Response['usage']>;

/** @param reply as it came: the SDK checks nothing */
function toCompletion(reply: Partial<Response> | null): Completion {
  const { status, incomplete_details: incomplete, usage, output } = reply ?? {};
  if (!Array.isArray(output)) throw notAResponse();
  if (status === 'failed') throw new ProviderFailure('broken', 'failed while it wrote its reply');
  const parts = objectsIn(output).flatMap(({ type, content }) =>
    type === 'message' ? objectsIn(content) : [],
  );
  const isRefused = incomplete?.reason === 'content_filter' || parts.some(({ type }) => type === 'refusal');
  return {
    text: parts.map((part) => (part['type'] === 'output_text' ? textOf(part) : '')).join(''),
    end: isRefused ? 'refused' : status === 'incomplete' ? 'cut_off' : 'complete',
    usage: {
      inputTokens: usage?.input_tokens ?? 0,
      // other servers that speak the protocol leave it out
      cachedTokens: (usage as Partial<Usage> | undefined)?.input_tokens_details?.cached_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
    },
  };
}

const objectsIn = (list: unknown): JsonObject[] => {
  if (Array.isArray(list) && list.every(isJsonObject)) return list;
  throw notAResponse();
};

const textOf = ({ text }: JsonObject): string => {
  if (typeof text === 'string') return text;
  throw notAResponse();
};

const notAResponse = (): ProviderFailure =>
  new ProviderFailure(
    'broken',
    'answered with something that is not a reply of the Responses API; check the address',
  );
