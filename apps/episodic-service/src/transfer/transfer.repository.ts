import { type IngestedSet, type MemoryType, type Tenant } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type AddedFacts, type ArrivedEpisode, type Episode, type NewEpisode } from '../episodes/episode.js';

/** An episode with the memories that it feeds. */
export interface TransferredEpisode extends ArrivedEpisode {
  readonly types: readonly MemoryType[];
}

/** An episode on its way in from elsewhere. */
export interface ArrivingEpisode extends NewEpisode {
  /** What it was called where it comes from, if that can be a uid of ours. */
  readonly sourceUid: string | undefined;
  readonly types: readonly MemoryType[];
  readonly ingested: readonly IngestedSet[] | undefined;
}

/** A project by its name and by its uid. */
export interface NamedProject {
  readonly tenant: Tenant;
  readonly projectUid: string;
}

/** Moves episodes of one project out and in. */
export abstract class TransferRepository {
  /** The next episodes by `createdAt`, then uid, together about `maxBytes` at most; at least one unless none is left. */
  abstract next(
    projectUid: string,
    after: Pick<Episode, 'createdAt' | 'uid'> | undefined,
    maxBytes: number,
  ): Promise<TransferredEpisode[]>;

  /**
   * Stores those that the project does not have under their uid or their source uid, deleted ones that are still being
   * purged included.
   * @returns the uids that were stored; undefined when the project is not open
   */
  abstract insertMissing(
    project: NamedProject,
    episodes: readonly ArrivingEpisode[],
    tx: Transaction,
  ): Promise<string[] | undefined>;

  /** Those of the episodes that are there. */
  abstract locate(projectUid: string, uids: readonly string[]): Promise<AddedFacts[]>;
}
