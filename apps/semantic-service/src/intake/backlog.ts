import { type Instant, type Tenant } from '@loci/contracts';

/** An episode on its way into the sets that it belongs to. */
export interface IncomingEpisode {
  readonly uid: string;
  readonly tenant: Tenant;
  readonly projectUid: string;
  /** When it was said: messages are ingested in this order. */
  readonly saidAt: Instant;
  /** When it was added; the age of the backlog counts from here. */
  readonly receivedAt: Date;
  /** The uids of its sets. */
  readonly sets: readonly { readonly uid: string; readonly isOrgLevel: boolean }[];
}

/** When a set with fresh messages is due, whichever comes first. */
export interface Triggers {
  readonly messages: number;
  readonly ageSeconds: number;
}
