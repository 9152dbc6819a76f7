import { type Prompt } from './fake-thought.js';
import { hashedEmbedding } from './hashed-embedding.js';
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

const DIMENSIONS = 768;

/** The API of Ollama: chat and embed. It wants no key. */
export function answerOllama(
  { path, body, key }: ProviderRequest,
  reply: (prompt: Prompt) => string,
): ProviderAnswer | undefined {
  if (path !== '/api/chat' && path !== '/api/embed') return undefined;
  const model = textIn(body['model']);
  if (key === WRONG_KEY) return ollamaError(401, 'unauthorized');
  if (model === UNKNOWN_MODEL) return ollamaError(404, `model '${model}' not found`);
  if (path === '/api/embed') return ok(embeddings(model, body));
  if (body['stream'] !== false) return ollamaError(400, 'the stand-in answers in one piece only');
  const { format } = body;
  const prompt = promptOf(listIn(body['messages']), isJson(format) ? format : undefined);
  const content = reply(prompt);
  return ok({
    model,
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    total_duration: 1,
    prompt_eval_count: tokensOf(prompt.system + prompt.user),
    eval_count: tokensOf(content),
  });
}

export const ollamaError = (status: number, error: string): ProviderAnswer => ({ status, body: { error } });

function embeddings(model: string, body: Json): Json {
  const texts = listIn(body['input']).map(textIn);
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : DIMENSIONS;
  return {
    model,
    embeddings: texts.map((text) => hashedEmbedding(text, dimensions)),
    total_duration: 1,
    prompt_eval_count: tokensOf(texts.join(' ')),
  };
}
