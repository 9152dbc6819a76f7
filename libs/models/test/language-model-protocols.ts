import { type LANGUAGE_MODELS } from './test-factory.js';

type Json = Readonly<Record<string, unknown>>;

/** How one protocol says what the suite of all language models is about. */
export interface LanguageModelProtocol {
  /** Bodies of replies with status 200; absent: the protocol has no such thing. */
  readonly cutOff: Json;
  readonly refused?: Json;
  /** A reply `ok` to an input of 50 tokens, and one token long. */
  readonly counted: Json;
  /** The same, of whose input 40 tokens had been kept. */
  readonly kept?: Json;
  /** An answer of status 400 to more than the model reads. */
  readonly tooLong: Json;
  /** Where a request has the schema of the reply, in a form that constrains decoding. */
  readonly strictAt: (body: Json) => unknown;
  /** What the request says of the schema beside it. */
  readonly marksStrict?: (body: Json) => unknown;
  /** What a request has when `temperature` is 0.2, the effort `low`, and 900 tokens the longest reply. */
  readonly settings: Json;
  /** Keys of a request of a model that has no settings. */
  readonly bareKeys: readonly string[];
  /** What a request says of its beginning when it is the same in many; absent: the provider finds it out. */
  readonly markOfBeginning?: (body: Json) => unknown;
}

const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inside, key) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  );

const message = (content: unknown[], stop_reason: string, usage: Json = {}): Json => ({
  type: 'message',
  id: 'msg_1',
  model: 'claude',
  content,
  stop_reason,
  usage: { input_tokens: 50, output_tokens: 1, ...usage },
});
const candidate = (parts: unknown[], finishReason: string, usage: Json = {}): Json => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason, index: 0 }],
  usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 1, ...usage },
});
const ollamaReply = (content: string, done_reason: string): Json => ({
  model: 'm',
  message: { role: 'assistant', content },
  done: true,
  done_reason,
  prompt_eval_count: 50,
  eval_count: 1,
});

const chatOf = (isOfOpenAi: boolean): LanguageModelProtocol => ({
  cutOff: { choices: [{ message: { content: '{"ci' }, finish_reason: 'length' }] },
  refused: { choices: [{ message: { refusal: 'no' }, finish_reason: 'stop' }] },
  counted: {
    choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 50, completion_tokens: 1 },
  },
  kept: {
    choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 50, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens: 1 },
  },
  tooLong: { error: { message: "This model's maximum context length is 8192 tokens." } },
  strictAt: (body) => at(body, 'response_format', 'json_schema', 'schema'),
  marksStrict: (body) => at(body, 'response_format', 'json_schema', 'strict'),
  settings: {
    temperature: 0.2,
    reasoning_effort: 'low',
    [isOfOpenAi ? 'max_completion_tokens' : 'max_tokens']: 900,
  },
  bareKeys: ['messages', 'model'],
  ...(isOfOpenAi && { markOfBeginning: (body: Json) => body['prompt_cache_key'] }),
});

const responsesOf = (isOfOpenAi: boolean): LanguageModelProtocol => ({
  cutOff: { output: [], status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  refused: { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }] },
  counted: {
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'ok' }] }],
    usage: { input_tokens: 50, output_tokens: 1 },
  },
  kept: {
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'ok' }] }],
    usage: { input_tokens: 50, input_tokens_details: { cached_tokens: 40 }, output_tokens: 1 },
  },
  tooLong: { error: { message: 'too much', code: 'context_length_exceeded' } },
  strictAt: (body) => at(body, 'text', 'format', 'schema'),
  marksStrict: (body) => at(body, 'text', 'format', 'strict'),
  settings: { temperature: 0.2, reasoning: { effort: 'low' }, max_output_tokens: 900 },
  bareKeys: ['input', 'model', 'store'],
  ...(isOfOpenAi && { markOfBeginning: (body: Json) => body['prompt_cache_key'] }),
});

/** Providers × properties: each row is run through the same suite. */
export const PROTOCOLS: Readonly<Record<(typeof LANGUAGE_MODELS)[number], LanguageModelProtocol>> = {
  responses: responsesOf(false),
  chat: chatOf(false),
  azure: chatOf(true),
  azureResponses: responsesOf(true),
  anthropic: {
    cutOff: message([{ type: 'text', text: '{"ci' }], 'max_tokens'),
    refused: message([], 'refusal'),
    counted: message([{ type: 'text', text: 'ok' }], 'end_turn'),
    kept: message([{ type: 'text', text: 'ok' }], 'end_turn', {
      input_tokens: 6,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 4,
    }),
    tooLong: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    strictAt: (body) => at(body, 'output_config', 'format', 'schema'),
    settings: { max_tokens: 900, output_config: { effort: 'low' } },
    bareKeys: ['max_tokens', 'messages', 'model'],
    markOfBeginning: (body) => at(body, 'system', 0, 'cache_control'),
  },
  gemini: {
    cutOff: candidate([{ text: '{"ci' }], 'MAX_TOKENS'),
    refused: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
    counted: candidate([{ text: 'ok' }], 'STOP'),
    kept: candidate([{ text: 'ok' }], 'STOP', { cachedContentTokenCount: 40 }),
    tooLong: {
      error: {
        code: 400,
        message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    strictAt: (body) => at(body, 'generationConfig', 'responseJsonSchema'),
    // of a model that knows no levels a tenth of its longest reply
    settings: {
      generationConfig: {
        temperature: 0.2,
        maxOutputTokens: 900,
        thinkingConfig: { thinkingBudget: 6554 },
      },
    },
    bareKeys: ['contents', 'generationConfig'],
  },
  ollama: {
    cutOff: ollamaReply('{"ci', 'length'),
    counted: ollamaReply('ok', 'stop'),
    tooLong: { error: 'the input length exceeds the context length' },
    strictAt: (body) => body['format'],
    settings: { options: { temperature: 0.2, num_predict: 900 }, think: 'low', truncate: false },
    bareKeys: ['messages', 'model', 'options', 'stream', 'truncate'],
  },
  converse: {
    cutOff: { output: { message: { content: [{ text: 'a' }] } }, stopReason: 'max_tokens' },
    refused: { output: { message: { content: [] } }, stopReason: 'guardrail_intervened' },
    counted: {
      output: { message: { content: [{ text: 'ok' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 50, outputTokens: 1 },
    },
    kept: {
      output: { message: { content: [{ text: 'ok' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 6, cacheReadInputTokens: 40, cacheWriteInputTokens: 4, outputTokens: 1 },
    },
    tooLong: { message: 'Input is too long for requested model.' },
    strictAt: (body) => at(body, 'toolConfig', 'tools', 0, 'toolSpec', 'inputSchema', 'json'),
    marksStrict: (body) => at(body, 'toolConfig', 'tools', 0, 'toolSpec', 'strict'),
    settings: {
      inferenceConfig: { temperature: 0.2, maxTokens: 900 },
      additionalModelRequestFields: { output_config: { effort: 'low' } },
    },
    bareKeys: ['messages', 'system'],
    markOfBeginning: (body) => at(body, 'system', 1, 'cachePoint'),
  },
};
