import { countTokens } from '@loci/platform';
import { type IngestionEpisode } from './ingestion-episode.js';

/** What one call reads of messages. */
export const MAX_BATCH_TOKENS = 8_000;

export interface BatchBounds {
  readonly maxMessages: number;
  readonly maxTokens: number;
}

/** What a message costs beside its text: its number, its producer, when it was said. */
const TOKENS_AROUND = 60;

/** What one message takes of what a call reads. */
export const tokensOfMessage = ({ content }: IngestionEpisode): number =>
  TOKENS_AROUND + countTokens(content);

/** What one call reads of some messages. */
export const tokensOf = (episodes: readonly IngestionEpisode[]): number =>
  episodes.reduce((sum, episode) => sum + tokensOfMessage(episode), 0);

/** The first messages that one call can read: at least one, however long that is; then it is alone and read in parts. */
export function fitting(
  episodes: readonly IngestionEpisode[],
  { maxMessages, maxTokens }: BatchBounds,
): IngestionEpisode[] {
  const batch: IngestionEpisode[] = [];
  let tokens = 0;
  for (const episode of episodes.slice(0, maxMessages)) {
    tokens += tokensOfMessage(episode);
    if (batch.length > 0 && tokens > maxTokens) break;
    batch.push(episode);
  }
  return batch;
}
