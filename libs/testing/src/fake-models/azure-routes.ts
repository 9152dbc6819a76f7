import { type Prompt } from './fake-thought.js';
import { answerOpenAi, openAiError } from './openai-routes.js';
import { type ProviderAnswer, type ProviderRequest } from './provider-answer.js';

/** Azure OpenAI: the protocol of OpenAI below `/openai`, with the key in a header of its own. */
export function answerAzure(
  request: ProviderRequest,
  reply: (prompt: Prompt) => string,
): ProviderAnswer | undefined {
  const path = /^\/openai(?<below>\/v1\/.*)$/.exec(request.path)?.groups?.['below'];
  if (path === undefined) return undefined;
  if (request.headers['api-key'] === undefined) {
    return openAiError(401, 'Access denied due to invalid subscription key or wrong API endpoint.', '401');
  }
  return answerOpenAi({ ...request, path }, reply);
}
