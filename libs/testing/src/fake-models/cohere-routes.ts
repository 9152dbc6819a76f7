import { wordOverlap } from './hashed-embedding.js';
import {
  listIn,
  ok,
  type ProviderAnswer,
  type ProviderRequest,
  textIn,
  UNKNOWN_MODEL,
  WRONG_KEY,
} from './provider-answer.js';

/** The protocol of Cohere: v2 rerank. */
export function answerCohere({ path, body, key }: ProviderRequest): ProviderAnswer | undefined {
  if (path !== '/v2/rerank') return undefined;
  if (key === WRONG_KEY) return { status: 401, body: { id: 'fake', message: 'invalid api token' } };
  if (body['model'] === UNKNOWN_MODEL) {
    return { status: 404, body: { id: 'fake', message: `model '${UNKNOWN_MODEL}' not found` } };
  }
  const results = listIn(body['documents'])
    .map((text, index) => ({ index, relevance_score: wordOverlap(textIn(body['query']), textIn(text)) }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
  return ok({
    id: 'fake',
    results,
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  });
}
