import { hashedEmbedding } from './hashed-embedding.js';
import { listedRelevance } from './listed-answers.js';
import {
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

const DIMENSIONS = 1536;
const MAX_TEXTS = 96;

/** The protocol of Cohere: v2 embed and rerank. */
export function answerCohere({ path, body, key }: ProviderRequest): ProviderAnswer | undefined {
  if (path !== '/v2/rerank' && path !== '/v2/embed') return undefined;
  if (key === WRONG_KEY) return cohereError(401, 'invalid api token');
  if (body['model'] === UNKNOWN_MODEL) return cohereError(404, `model '${UNKNOWN_MODEL}' not found`);
  return path === '/v2/rerank' ? ok(rerank(body)) : embed(body);
}

export const cohereError = (status: number, message: string): ProviderAnswer => ({
  status,
  body: { id: 'fake', message },
});

function embed(body: Json): ProviderAnswer {
  const texts = listIn(body['texts']).map(textIn);
  if (texts.length > MAX_TEXTS)
    return cohereError(400, `invalid request: total number of texts must be at most 96`);
  if (!['search_query', 'search_document'].includes(textIn(body['input_type']))) {
    return cohereError(400, 'invalid request: valid input_type must be provided with the provided model');
  }
  const dimensions = typeof body['output_dimension'] === 'number' ? body['output_dimension'] : DIMENSIONS;
  return ok({
    id: 'fake',
    embeddings: { float: texts.map((text) => hashedEmbedding(text, dimensions)) },
    texts,
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokensOf(texts.join(' ')) } },
  });
}

function rerank(body: Json): Json {
  return {
    id: 'fake',
    results: listedRelevance(body),
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  };
}
