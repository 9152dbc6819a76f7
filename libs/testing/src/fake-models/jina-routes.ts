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

/** The API of Jina AI: embeddings and rerank. */
export function answerJina({ path, body, key }: ProviderRequest): ProviderAnswer | undefined {
  if (path !== '/v1/embeddings' && path !== '/v1/rerank') return undefined;
  if (key === WRONG_KEY || key === '') return detailError(401, 'Invalid API key');
  const model = textIn(body['model']);
  if (model === UNKNOWN_MODEL) return detailError(422, `Model ${model} does not exist`);
  if (path === '/v1/rerank') return ok(rerank(body));
  if (/-v2-/.test(model) && body['task'] !== undefined) return detailError(422, 'task is not supported');
  return ok(embeddings(body));
}

function embeddings(body: Json): Json {
  const texts = listIn(body['input']).map(textIn);
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : DIMENSIONS;
  return {
    object: 'list',
    model: body['model'],
    data: listedEmbeddings(texts, dimensions),
    usage: { total_tokens: tokensOf(texts.join(' ')) },
  };
}

function rerank(body: Json): Json {
  const usage = { total_tokens: tokensOf(textIn(body['query'])) };
  return { model: body['model'], results: listedRelevance(body), usage };
}
