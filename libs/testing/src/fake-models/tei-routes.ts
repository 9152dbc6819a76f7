import { hashedEmbedding, wordOverlap } from './hashed-embedding.js';
import {
  listIn,
  type ProviderAnswer,
  type ProviderRequest,
  textIn,
  tokensOf,
  WRONG_KEY,
} from './provider-answer.js';

const DIMENSIONS = 384;

/** As a server is started with by default. */
const MAX_TEXTS = 32;

/** Text Embeddings Inference: embed and rerank. It wants no key, but refuses a wrong one. */
export function answerTei({ path, body, key }: ProviderRequest): ProviderAnswer | undefined {
  if (path !== '/embed' && path !== '/rerank') return undefined;
  if (key === WRONG_KEY) return teiError(401, 'unauthorized');
  const texts = listIn(body[path === '/embed' ? 'inputs' : 'texts']).map(textIn);
  if (texts.length > MAX_TEXTS) {
    return teiError(422, `batch size ${texts.length} > maximum allowed batch size ${MAX_TEXTS}`);
  }
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : DIMENSIONS;
  const answer =
    path === '/embed'
      ? texts.map((text) => hashedEmbedding(text, dimensions))
      : texts
          .map((text, index) => ({ index, score: wordOverlap(textIn(body['query']), text) }))
          .sort((a, b) => b.score - a.score);
  return {
    status: 200,
    headers: { 'x-compute-tokens': String(tokensOf(texts.join(' '))) },
    body: answer,
  };
}

export const teiError = (status: number, error: string): ProviderAnswer => ({
  status,
  body: { error, error_type: status === 429 ? 'overloaded' : 'Validation' },
});
