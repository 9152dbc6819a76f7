import { type Instant, type Tenant } from '@loci/contracts';

/** An episode, apart from those that had its uid before they were deleted. */
export interface AddedEpisode {
  readonly uid: string;
  readonly projectUid: string;
  readonly addedAt: Instant;
}

/** An episode on its way into the sets that it belongs to. */
export interface IncomingEpisode extends AddedEpisode {
  readonly tenant: Tenant;
  /** When it was said: messages are ingested sorted by it. */
  readonly saidAt: Instant;
  /** When it was added; the age of the backlog counts from here. */
  readonly receivedAt: Date;
  /** The `traceparent`s of the requests that brought it; none where nothing is traced. */
  readonly causes: readonly string[];
  readonly sets: readonly IncomingSet[];
}

/** A set that an episode belongs to. */
export interface IncomingSet {
  readonly uid: string;
  readonly isOrgLevel: boolean;
  /** The categories that already contain what can be learned from the episode; absent = none. */
  readonly ingested?: readonly string[] | 'all' | undefined;
}

/**
 * How messages are taken: each as a row in each of its sets; as a count, because nothing can learn from them for now; or as
 * rows of which some may have been counted.
 */
export type Taking = 'now' | 'later' | 'again';

export interface Taken {
  /** In how many sets something was new. */
  readonly sets: number;
  /** Uids of those that became due by their number of fresh messages. */
  readonly due: readonly string[];
}

/** When a set with fresh messages is due, whichever comes first. */
export interface Triggers {
  readonly messages: number;
  readonly ageSeconds: number;
}
