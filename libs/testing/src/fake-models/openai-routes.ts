import { type Prompt } from './fake-thought.js';
import { hashedEmbedding, narrowEmbedding } from './hashed-embedding.js';
import { streamed } from './openai-stream.js';
import { promptOf } from './prompt.js';
import {
  isJson,
  type Json,
  listIn,
  ok,
  type ProviderAnswer,
  type ProviderRequest,
  textIn,
  tokensOf,
  UNKNOWN_MODEL,
  WRONG_KEY,
} from './provider-answer.js';
import { strictnessProblem } from './strict-rules.js';

const DEFAULT_DIMENSIONS = 1536;

const MAX_TEXT_TOKENS = 8_192;
const MAX_REQUEST_TOKENS = 300_000;

/** The protocol of OpenAI below `/v1`. */
export function answerOpenAi(
  { path, body, key }: ProviderRequest,
  reply: (prompt: Prompt) => string,
): ProviderAnswer | undefined {
  if (key === WRONG_KEY) return openAiError(401, `Incorrect API key provided: ${key}.`, 'invalid_api_key');
  const model = textIn(body['model']);
  if (model === UNKNOWN_MODEL) {
    return openAiError(
      404,
      `The model '${model}' does not exist or you do not have access to it.`,
      'model_not_found',
    );
  }
  switch (path) {
    case '/v1/models':
      return ok({ object: 'list', data: [{ id: 'fake', object: 'model', created: 0, owned_by: 'loci' }] });
    case '/v1/responses':
      return refusedSchema(formatIn(body)) ?? ok(responseOf(model, body, reply));
    case '/v1/chat/completions':
      return refusedSchema(formatIn(body)) ?? completed(completionOf(model, body, reply), body);
    case '/v1/embeddings':
      return refusedTexts(body) ?? ok(embeddingsOf(model, body));
    default:
      return undefined;
  }
}

/** The schema of the reply, wherever a protocol has it. */
function formatIn(body: Json): Json | undefined {
  const ofResponse = isJson(body['text']) ? body['text']['format'] : undefined;
  const ofCompletion = isJson(body['response_format']) ? body['response_format']['json_schema'] : undefined;
  return [ofResponse, ofCompletion].find(isJson);
}

function schemaIn(body: Json): Json | undefined {
  const schema = formatIn(body)?.['schema'];
  return isJson(schema) ? schema : undefined;
}

/** As OpenAI does, which refuses a schema that is called strict and is not. */
function refusedSchema(format: Json | undefined): ProviderAnswer | undefined {
  if (format?.['strict'] !== true) return undefined;
  const problem = strictnessProblem(format['schema']);
  if (problem === undefined) return undefined;
  return openAiError(400, `Invalid schema for response_format '${textIn(format['name'])}': ${problem}`, null);
}

export const openAiError = (status: number, message: string, code: string | null): ProviderAnswer => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

function responseOf(model: string, body: Json, reply: (prompt: Prompt) => string): Json {
  const schema = schemaIn(body);
  const prompt = promptOf(listIn(body['input']), schema);
  const text = reply(prompt);
  const [input, output] = [tokensOf(prompt.system + prompt.user), tokensOf(text)];
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 0,
    status: 'completed',
    model,
    error: null,
    incomplete_details: null,
    output: toolCallsIn(text, body)?.map(({ id, name, args }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: args,
      status: 'completed',
    })) ?? [
      {
        type: 'message',
        id: 'msg_fake',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  };
}

function completionOf(model: string, body: Json, reply: (prompt: Prompt) => string): Json {
  const schema = schemaIn(body);
  const prompt = promptOf(listIn(body['messages']), schema);
  const content = reply(prompt);
  const [input, output] = [tokensOf(prompt.system + prompt.user), tokensOf(content)];
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, ...choiceOf(content, toolCallsIn(content, body)) }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

const completed = (completion: Json, body: Json): ProviderAnswer =>
  body['stream'] === true ? streamed(completion) : ok(completion);

function choiceOf(content: string, calls: readonly ToolCall[] | undefined): Json {
  if (!calls) return { message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' };
  const tool_calls = calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  return {
    message: { role: 'assistant', content: null, refusal: null, tool_calls },
    finish_reason: 'tool_calls',
  };
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly args: string;
}

/** A reply `{"tool_calls": [{"name", "arguments"}]}` to a request that offers tools calls them. */
function toolCallsIn(text: string, body: Json): ToolCall[] | undefined {
  if (listIn(body['tools']).length === 0 || !text.startsWith('{"tool_calls"')) return undefined;
  const reply = JSON.parse(text) as {
    readonly tool_calls: { readonly name: string; readonly arguments: Json }[];
  };
  return reply.tool_calls.map(({ name, arguments: given }, n) => ({
    id: `call_${n}`,
    name,
    args: JSON.stringify(given),
  }));
}

/** As OpenAI does, which reads so many tokens of a text, and of all texts of a request. */
function refusedTexts(body: Json): ProviderAnswer | undefined {
  const counts = listIn(body['input']).map((text) => mostTokensOf(textIn(text)));
  const longest = Math.max(...counts);
  if (longest > MAX_TEXT_TOKENS) {
    const message = `This model's maximum context length is ${MAX_TEXT_TOKENS} tokens, however you requested ${longest} tokens (${longest} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`;
    return openAiError(400, message, null);
  }
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum <= MAX_REQUEST_TOKENS) return undefined;
  const message = `Requested ${sum} tokens, max ${MAX_REQUEST_TOKENS} tokens per request`;
  return openAiError(400, message, 'max_tokens_per_request');
}

/** As many as there are bytes of what is not ASCII: what a tokenizer by bytes has seldom seen takes that many. */
const mostTokensOf = (text: string): number => {
  const ascii = text.replace(/\P{ASCII}/gu, '');
  return tokensOf(ascii) + Buffer.byteLength(text) - ascii.length;
};

function embeddingsOf(model: string, body: Json): Json {
  const texts = listIn(body['input']).map(textIn);
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : DEFAULT_DIMENSIONS;
  const tokens = tokensOf(texts.join(' '));
  const embed = model.startsWith('narrow') ? narrowEmbedding : hashedEmbedding;
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(embed(text, dimensions), body['encoding_format']),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

const encoded = (vector: readonly number[], format: unknown): unknown =>
  format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
