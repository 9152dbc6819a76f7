import { type Instant, type Tenant } from '@loci/contracts';

/** An episode on its way into the sets that it belongs to. */
export interface IncomingEpisode {
  readonly uid: string;
  /** When it was said: messages are ingested in this order. */
  readonly saidAt: Instant;
  readonly sets: readonly IncomingSet[];
}

/** A set that an episode belongs to. */
export interface IncomingSet {
  readonly uid: string;
  readonly isOrgLevel: boolean;
  /** The categories that hold already what can be learned from the episode; absent = none. */
  readonly ingested?: readonly string[] | 'all' | undefined;
}

export interface IncomingEpisodes {
  readonly tenant: Tenant;
  readonly projectUid: string;
  /** When they were added; the age of the backlog counts from here. */
  readonly receivedAt: Date;
  readonly episodes: readonly IncomingEpisode[];
}

/** When a set with fresh messages is due, whichever comes first. */
export interface Triggers {
  readonly messages: number;
  readonly ageSeconds: number;
}
