import { type Prompt } from './fake-thought.js';
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

const PATH = /^\/v1beta\/models\/(?<model>[^/:]+):generateContent$/;

/** The Gemini API: text, and JSON that fits a schema. */
export function answerGemini(
  { path, body, key }: ProviderRequest,
  reply: (prompt: Prompt) => string,
): ProviderAnswer | undefined {
  const { model } = PATH.exec(path)?.groups ?? {};
  if (model === undefined) return undefined;
  if (key === WRONG_KEY || key === '') return wrongKey;
  if (model === UNKNOWN_MODEL) {
    return geminiError(404, `models/${model} is not found for API version v1beta.`);
  }
  const { responseJsonSchema: schema } = isJson(body['generationConfig']) ? body['generationConfig'] : {};
  const system = { role: 'system', content: partsIn(body['systemInstruction']) };
  const turns = listIn(body['contents']).filter(isJson);
  const messages = turns.map((turn) => ({ role: textIn(turn['role']), content: partsIn(turn) }));
  const prompt = promptOf([system, ...messages], isJson(schema) ? schema : undefined);
  const text = reply(prompt);
  const [input, output] = [tokensOf(prompt.system + prompt.user), tokensOf(text)];
  return ok({
    candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: model,
    responseId: 'fake',
  });
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

export const geminiError = (
  code: number,
  message: string,
  details: readonly Json[] = [],
): ProviderAnswer => ({
  status: code,
  body: { error: { code, message, status: STATUSES[code] ?? 'INTERNAL', details } },
});

/** A 400, as it is in truth. */
const wrongKey = geminiError(400, 'API key not valid. Please pass a valid API key.', [
  {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
  },
]);

const partsIn = (content: unknown): readonly unknown[] =>
  isJson(content) ? listIn(content['parts'] ?? []) : [];
