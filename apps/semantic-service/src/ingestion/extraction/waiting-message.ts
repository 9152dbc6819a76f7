import { type Tenant } from '@loci/contracts';

/** A message that waits, by name: its text is with the episodic service. */
export interface WaitingMessage {
  readonly episodeUid: string;
  readonly tenant: Tenant;
  readonly projectUid: string;
}
