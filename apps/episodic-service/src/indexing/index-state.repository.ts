import { type IndexVersion } from '@loci/indexing';
import { type Transaction } from '@loci/persistence';
import { type Episode } from '../episodes/episode.js';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { type EpisodeInContext, type IndexedEpisode } from './episode-in-context.js';

/** Which episodes have their vectors. The table of episodes is the truth; the vector index follows it. */
export abstract class IndexStateRepository {
  /** The episodes of a project that have no vector yet, last added first, whenever they were said. */
  abstract waiting(projectUid: string, limit: number): Promise<Episode[]>;

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and hold nothing of those in `gone`.
   */
  abstract sort(
    indexVersion: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: EpisodeInContext[]; gone: string[] }>;

  /** Episodes that are not in an index version that is being built, in the order in which they were said, behind `after`. */
  abstract missing(
    indexVersion: IndexVersion,
    after: EpisodeInContext | undefined,
    limit: number,
  ): Promise<EpisodeInContext[]>;

  /**
   * Notes that these episodes have their vectors in an index version. Those that got another previous turn meanwhile go on
   * waiting, and so do those behind them whose vectors tell of another one. For an index version that is not used any more
   * nothing is noted.
   * @returns those that were deleted meanwhile: they must have no vector
   */
  abstract markIndexed(indexVersion: IndexVersion, indexed: readonly IndexedEpisode[]): Promise<string[]>;

  /** Removes tombstones whose vectors are gone; episodes whose vectors tell of them wait for new ones. */
  abstract dropTombstones(projectUid: string, uids: readonly string[]): Promise<void>;

  /** Takes episodes that have waited for their vectors for long; they count as ordered now. */
  abstract takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingEpisodes[]>;

  /** Takes tombstones that have waited for long to be removed; they count as ordered now. */
  abstract takeOverdueTombstones(
    patienceMs: number,
    limit: number,
    tx: Transaction,
  ): Promise<WaitingEpisodes[]>;

  /** How many episodes of a project there are for long-term memory, and are in its active index version, and in another one. */
  abstract counts(
    projectUid: string,
    buildingUid: string | undefined,
  ): Promise<{ episodes: number; indexed: number; carried: number }>;
}
