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

/** When a set with fresh messages is due, whichever comes first. */
export interface Triggers {
  readonly messages: number;
  readonly ageSeconds: number;
}
