import { createHash } from 'node:crypto';
import { type ChatMessage } from '../language-model.js';
import { type OpenAiEndpoint } from './openai-client.js';

/**
 * Has OpenAI send requests that begin alike to the machine that has kept their beginning. Other servers may refuse the
 * parameter, and get none.
 */
export function cacheKeyOf(
  { isOfOpenAi }: Pick<OpenAiEndpoint, 'isOfOpenAi'>,
  messages: readonly ChatMessage[],
): { readonly prompt_cache_key?: string } {
  const beginning = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  if (!isOfOpenAi || beginning.length === 0) return {};
  return { prompt_cache_key: createHash('sha256').update(beginning.join('\n')).digest('hex').slice(0, 32) };
}
