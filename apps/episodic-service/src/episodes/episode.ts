import { type IngestedSet, type Instant, type MemoryType } from '@loci/contracts';

/** What is known of an episode besides what was said in it. */
export interface EpisodeFacts {
  readonly uid: string;
  readonly producerId: string;
  readonly producerRole: string;
  readonly producedForId: string;
  /** When it was said. */
  readonly createdAt: Instant;
  readonly metadata: Readonly<Record<string, string>>;
}

/** One remembered message. It never changes; it can only be deleted. */
export interface Episode extends EpisodeFacts {
  readonly content: string;
}

/** An episode on its way in. Its time is the commit's where the agent named none. */
export type NewEpisode = Omit<Episode, 'createdAt'> & { readonly createdAt?: Instant | undefined };

/** Episodes that are added together, all or none. */
export interface NewEpisodes {
  readonly episodes: readonly NewEpisode[];
  readonly types: readonly MemoryType[];
}

/** An episode with what it brought along for semantic memory, if it came from elsewhere. */
export interface ArrivedEpisode extends Episode {
  readonly ingested?: readonly IngestedSet[] | undefined;
}
