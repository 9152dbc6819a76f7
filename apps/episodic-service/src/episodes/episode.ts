import { type Author, type IngestedSet, type Instant, type MemoryType } from '@loci/contracts';

/** What is known of an episode besides what was said in it. */
export interface EpisodeFacts {
  readonly uid: string;
  readonly producerId: string;
  readonly producerRole: string;
  readonly producedForId: string;
  /** When it was said. */
  readonly createdAt: Instant;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether its author speaks for its producer alone. */
  readonly isBound?: boolean | undefined;
}

/** With its position in time among others of the same uid: one that is deleted can be imported again. */
export interface AddedFacts extends EpisodeFacts {
  readonly addedAt: Instant;
}

/** One remembered message. It never changes; it can only be deleted. */
export interface Episode extends EpisodeFacts {
  readonly content: string;
  /** Who wrote it; undefined where no authentication is required. */
  readonly author?: Author | undefined;
  /** From then on it is invisible to every reader, and the worker deletes it; absent: never. */
  readonly expiresAt?: Instant | undefined;
}

/** An episode on its way in. Its time is the commit's where the agent named none. */
export type NewEpisode = Omit<Episode, 'createdAt' | 'author'> & {
  readonly createdAt?: Instant | undefined;
  /** How long it lives from when it is added; a shorter time of the project, or `expiresAt`, comes first. */
  readonly ttlSeconds?: number | undefined;
};

/** Episodes that are added together, all or none. */
export interface NewEpisodes {
  readonly episodes: readonly NewEpisode[];
  readonly types: readonly MemoryType[];
  readonly author?: Author | undefined;
}

/** An episode with what it brought along for semantic memory, if it came from elsewhere. */
export interface IngestedEpisode extends Episode {
  readonly ingested?: readonly IngestedSet[] | undefined;
}

/** An episode as other services need it. */
export type DescribedEpisode = IngestedEpisode & AddedFacts;

/** Episodes that are tombstones now. */
export interface DeletedEpisodes {
  readonly uids: readonly string[];
  /** When the last of them was added; absent when there are none. */
  readonly addedUntil: Instant | undefined;
}
