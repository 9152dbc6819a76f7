import { type Instant, type MemoryType } from '@loci/contracts';

/** One remembered message. It never changes; it can only be deleted. */
export interface Episode {
  readonly uid: string;
  readonly content: string;
  readonly producerId: string;
  readonly producerRole: string;
  readonly producedForId: string;
  /** When it was said. */
  readonly createdAt: Instant;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An episode on its way in. Its time is the commit's where the agent named none. */
export type NewEpisode = Omit<Episode, 'createdAt'> & { readonly createdAt?: Instant | undefined };

/** Episodes that are added together, all or none. */
export interface NewEpisodes {
  readonly episodes: readonly NewEpisode[];
  readonly types: readonly MemoryType[];
}
