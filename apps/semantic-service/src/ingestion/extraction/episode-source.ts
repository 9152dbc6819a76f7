import { type IngestionEpisode } from './ingestion-episode.js';
import { type WaitingMessage } from './waiting-message.js';

/** Where the texts of messages come from. Also the injection token. */
export abstract class EpisodeSource {
  /** The episodes behind these messages, in the same sequence; those that are deleted are left out. */
  abstract read(messages: readonly WaitingMessage[]): Promise<IngestionEpisode[]>;
}
