import { type Episode } from '../episodes/episode.js';

/** An episode on its way into the index, with what was said right before it. */
export interface EpisodeInContext extends Episode {
  readonly previous?: PreviousTurn | undefined;
}

export interface PreviousTurn {
  readonly uid: string;
  /** The last characters of its text. */
  readonly ending: string;
}

/** That an episode's vector is in the index, and with which previous turn it was made. */
export interface IndexedEpisode {
  readonly uid: string;
  readonly previousUid: string | undefined;
}
