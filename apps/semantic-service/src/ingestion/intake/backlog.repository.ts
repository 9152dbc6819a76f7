import { type Transaction } from '@loci/persistence';
import { type DeletedEpisodes } from '../../erasure/deleted-episodes.js';
import { type AddedEpisode, type IncomingEpisode, type Triggers } from './backlog.js';

/** What waits to be ingested. */
export abstract class BacklogRepository {
  /**
   * Puts episodes, of any tenants, into the backlogs of their sets, each once whatever comes how often. Those that are
   * known to be deleted are left out.
   * @returns the sets that became due by their number of fresh messages: their orders belong to this transaction
   */
  abstract take(episodes: readonly IncomingEpisode[], triggers: Triggers, tx: Transaction): Promise<string[]>;

  /** Those of the episodes that never were in a backlog. */
  abstract unknown(episodes: readonly AddedEpisode[]): Promise<string[]>;

  /** Those that were in a backlog under the uids of these episodes before these were added: they must be deleted. */
  abstract former(episodes: readonly AddedEpisode[]): Promise<AddedEpisode[]>;

  /** Forgets deleted episodes, in every set that they were in. */
  abstract forgetEpisodes(deleted: DeletedEpisodes, tx: Transaction): Promise<void>;

  /** Forgets everything that came from a project, in sets of the organization too. */
  abstract forgetProject(projectUid: string, tx: Transaction): Promise<void>;
}
