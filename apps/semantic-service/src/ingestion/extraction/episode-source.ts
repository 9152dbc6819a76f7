import { type IngestionEpisode } from './ingestion-episode.js';
import { type WaitingMessage } from './waiting-message.js';

/** Where the texts of messages come from. Also the injection token. */
export abstract class EpisodeSource {
  /** The episodes behind these messages, in the same sequence; those that are deleted are left out. */
  abstract read(messages: readonly WaitingMessage[]): Promise<IngestionEpisode[]>;

  /** What was said last in the conversations of these messages before the first of them, oldest first; long texts are cut. */
  abstract before(messages: readonly WaitingMessage[]): Promise<IngestionEpisode[]>;
}
