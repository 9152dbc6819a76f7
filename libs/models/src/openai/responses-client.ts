import type OpenAI from 'openai';
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
import { toStrictSchema } from '../generation/strict-schema.js';
import { cacheKeyOf } from './cache-key.js';
import { openAiClient } from './openai-client.js';
import { type OpenAiLanguageModelSettings } from './openai-settings.js';

/** The Responses API of OpenAI. */
export class ResponsesClient implements CompletionClient {
  private readonly client: OpenAI;

  constructor(
    private readonly settings: OpenAiLanguageModelSettings,
    private readonly guard: EgressGuard,
  ) {
    this.client = openAiClient(settings, guard);
  }

  async complete({ messages, maxOutputTokens, json, signal }: CompletionRequest): Promise<Completion> {
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
      ...cacheKeyOf(this.settings, messages),
      ...(json && { text: { format: jsonSchema(json) } }),
    };
    return toCompletion(await this.client.responses.create(body, { signal }));
  }

  close(): Promise<void> {
    return this.guard.close();
  }
}

function jsonSchema({ name, schema }: ReplySchema): ResponseFormatTextJSONSchemaConfig {
  const strict = toStrictSchema(schema);
  return { type: 'json_schema', name, schema: { ...(strict ?? schema) }, strict: Boolean(strict) };
}

type Usage = NonNullable<Response['usage']>;

function toCompletion(response: Response): Completion {
  const { status, incomplete_details: incomplete, usage } = response;
  const output: unknown = response.output;
  if (!Array.isArray(output)) throw notAResponse();
  if (status === 'failed') throw new ProviderFailure('broken', 'failed while it wrote its reply');
  const parts = response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const isRefused = incomplete?.reason === 'content_filter' || parts.some(({ type }) => type === 'refusal');
  return {
    text: parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
    end: isRefused ? 'refused' : status === 'incomplete' ? 'cut_off' : 'complete',
    usage: {
      inputTokens: usage?.input_tokens ?? 0,
      // other servers that speak the protocol leave it out
      cachedTokens: (usage as Partial<Usage> | undefined)?.input_tokens_details?.cached_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
    },
  };
}

const notAResponse = (): ProviderFailure =>
  new ProviderFailure(
    'broken',
    'answered with something that is not a reply of the Responses API; check the address',
  );
