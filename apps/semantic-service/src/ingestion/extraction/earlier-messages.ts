import { tokensOfMessage } from './batch.js';
import { type IngestionEpisode } from './ingestion-episode.js';

/** Messages of each conversation that are shown before those that are read. */
export const EARLIER_MESSAGES = 6;

/** Of each of them; a long one is cut there. */
export const EARLIER_CHARS = 1_500;

/** What all of them may take in one call. */
export const MAX_EARLIER_TOKENS = 1_500;

/** The newest of them that fit, oldest first. */
export function newestFitting(
  earlier: readonly IngestionEpisode[],
  maxTokens = MAX_EARLIER_TOKENS,
): IngestionEpisode[] {
  const kept: IngestionEpisode[] = [];
  let tokens = 0;
  for (const episode of earlier.toReversed()) {
    tokens += tokensOfMessage(episode);
    if (tokens > maxTokens) break;
    kept.unshift(episode);
  }
  return kept;
}
