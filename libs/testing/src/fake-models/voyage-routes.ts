import { listedEmbeddings, listedRelevance } from './listed-answers.js';
import {
  detailError,
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

function embeddings(body: Json): ProviderAnswer {
  const texts = listIn(body['input']).map(textIn);
  if (texts.length > MAX_TEXTS) return detailError(400, 'The batch size limit is 1000.');
  if (!['query', 'document', undefined].includes(body['input_type'] as string | undefined)) {
    return detailError(400, "input_type must be 'query' or 'document'.");
  }
  const { output_dimension: dimensions } = body;
  return ok({
    object: 'list',
    data: listedEmbeddings(texts, typeof dimensions === 'number' ? dimensions : DIMENSIONS),
    model: body['model'],
    usage: { total_tokens: tokensOf(texts.join(' ')) },
  });
}

function rerank(body: Json): Json {
  const usage = { total_tokens: tokensOf(textIn(body['query'])) };
  return { object: 'list', data: listedRelevance(body), model: body['model'], usage };
}
