import { type Prompt } from './fake-thought.js';
import { promptOf } from './prompt.js';
import {
  isJson,
  type Json,
  listIn,
  ok,
  parsedObject,
  type ProviderAnswer,
  type ProviderRequest,
  textIn,
  tokensOf,
  UNKNOWN_MODEL,
  WRONG_KEY,
} from './provider-answer.js';
import { strictnessProblem } from './strict-rules.js';

/** The Messages API of Anthropic: structured output, and tools that must be called. */
export function answerAnthropic(
  { path, body, key, headers }: ProviderRequest,
  reply: (prompt: Prompt) => string,
): ProviderAnswer | undefined {
  if (path !== '/v1/messages') return undefined;
  const model = textIn(body['model']);
  if (key === WRONG_KEY || key === '') return anthropicError(401, 'invalid x-api-key');
  if (headers['anthropic-version'] === undefined) {
    return anthropicError(400, 'anthropic-version: header is required');
  }
  if (model === UNKNOWN_MODEL) return anthropicError(404, `model: ${model}`);
  if (typeof body['max_tokens'] !== 'number') return anthropicError(400, 'max_tokens: Field required');
  const format = formatIn(body);
  const problem = strictnessProblem(format);
  if (problem !== undefined) return anthropicError(400, `output_config.format.schema: ${problem}`);
  const tool = forcedTool(body);
  const schema = format ?? tool?.schema;
  const system = listIn(body['system'] ?? []).map((content) => ({ role: 'system', content: [content] }));
  const prompt = promptOf([...system, ...listIn(body['messages'])], schema);
  const text = reply(prompt);
  const input = tool && parsedObject(text);
  const content =
    tool && input
      ? [{ type: 'tool_use', id: 'toolu_fake', name: tool.name, input }]
      : text === ''
        ? []
        : [{ type: 'text', text }];
  return ok({
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: input ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: tokensOf(prompt.system + prompt.user),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: tokensOf(text),
    },
  });
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export const anthropicError = (status: number, message: string): ProviderAnswer => ({
  status,
  body: { type: 'error', error: { type: TYPES[status] ?? 'api_error', message }, request_id: 'req_fake' },
});

function formatIn(body: Json): Json | undefined {
  const config = body['output_config'];
  const format = isJson(config) ? config['format'] : undefined;
  return isJson(format) && isJson(format['schema']) ? format['schema'] : undefined;
}

function forcedTool(body: Json): { readonly name: string; readonly schema: Json | undefined } | undefined {
  const tool = listIn(body['tools'] ?? []).find(isJson);
  if (!tool || !isJson(body['tool_choice'])) return undefined;
  const schema = tool['input_schema'];
  return { name: textIn(tool['name']), schema: isJson(schema) ? schema : undefined };
}
