import { type Instant } from '@loci/contracts';

/** Episodes of a project that are gone. */
export interface GoneEpisodes {
  readonly projectUid: string;
  readonly uids: readonly string[];
  /** Absent = whenever they were added. */
  readonly addedUntil?: Instant | undefined;
}

/** Episodes that are deleted. One that was added later is not meant: it has only the uid in common. */
export interface DeletedEpisodes extends GoneEpisodes {
  readonly addedUntil: Instant;
}

/** Whether a row with the column `added_at` tells of an episode that was added until then. @param until a parameter */
export const isAddedUntil = (until: string): string =>
  `(added_at IS NULL OR added_at <= ${until}::timestamptz)`;
