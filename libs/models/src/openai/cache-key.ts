import { createHash } from 'node:crypto';
import { type ChatMessage } from '../language-model.js';
import { type OpenAiServer } from './openai-settings.js';

/**
 * Has OpenAI send requests that begin alike to the machine that has kept their beginning. Other servers may refuse the
 * parameter, and get none.
 */
export function cacheKeyOf(
  { base_url: baseUrl }: OpenAiServer,
  messages: readonly ChatMessage[],
): { readonly prompt_cache_key?: string } {
  const beginning = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  if (baseUrl !== undefined || beginning.length === 0) return {};
  return { prompt_cache_key: createHash('sha256').update(beginning.join('\n')).digest('hex').slice(0, 32) };
}
