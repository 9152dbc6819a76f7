import { hashedEmbedding, wordOverlap } from './hashed-embedding.js';
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

const DIMENSIONS = 1024;
const MAX_TEXTS = 1_000;

/** The API of Voyage AI: embeddings and rerank. */
export function answerVoyage({ path, body, key }: ProviderRequest): ProviderAnswer | undefined {
  if (path !== '/v1/embeddings' && path !== '/v1/rerank') return undefined;
  if (key === WRONG_KEY || key === '') return detailError(401, 'Provided API key is invalid.');
  const model = textIn(body['model']);
  if (model === UNKNOWN_MODEL) return detailError(400, `Model ${model} does not exist.`);
  return path === '/v1/rerank' ? ok(rerank(body)) : embeddings(body);
}

export const detailError = (status: number, detail: string): ProviderAnswer => ({ status, body: { detail } });

function embeddings(body: Json): ProviderAnswer {
  const texts = listIn(body['input']).map(textIn);
  if (texts.length > MAX_TEXTS) return detailError(400, 'The batch size limit is 1000.');
  if (!['query', 'document', undefined].includes(body['input_type'] as string | undefined)) {
    return detailError(400, "input_type must be 'query' or 'document'.");
  }
  const { output_dimension: dimensions } = body;
  return ok({
    object: 'list',
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: hashedEmbedding(text, typeof dimensions === 'number' ? dimensions : DIMENSIONS),
    })),
    model: body['model'],
    usage: { total_tokens: tokensOf(texts.join(' ')) },
  });
}

function rerank(body: Json): Json {
  const query = textIn(body['query']);
  const data = listIn(body['documents'])
    .map((text, index) => ({ index, relevance_score: wordOverlap(query, textIn(text)) }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
  return { object: 'list', data, model: body['model'], usage: { total_tokens: tokensOf(query) } };
}
