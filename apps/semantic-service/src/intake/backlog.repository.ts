import { type Transaction } from '@loci/persistence';
import { type IncomingEpisode, type Triggers } from './backlog.js';

/** What waits to be ingested. */
export abstract class BacklogRepository {
  /**
   * Puts episodes, of any tenants, into the backlogs of their sets, each once whatever comes how often.
   * @returns the sets that became due by their number of fresh messages: their orders belong to this transaction
   */
  abstract take(episodes: readonly IncomingEpisode[], triggers: Triggers, tx: Transaction): Promise<string[]>;

  /** Those of the episodes that never were in a backlog. */
  abstract unknown(projectUid: string, episodeUids: readonly string[]): Promise<string[]>;

  /** Forgets deleted episodes, in every set that they were in. */
  abstract forgetEpisodes(projectUid: string, episodeUids: readonly string[], tx: Transaction): Promise<void>;

  /** Forgets everything that came from a project, in sets of the organization too. */
  abstract forgetProject(projectUid: string, tx: Transaction): Promise<void>;
}
