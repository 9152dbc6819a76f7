import { type Transaction } from '@loci/persistence';
import { type Episode } from '../episodes/episode.js';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { type EpisodeInContext, type IndexedEpisode } from './episode-in-context.js';

/** Which episodes have their vectors. The table of episodes is the truth; the vector index follows it. */
export abstract class IndexStateRepository {
  /** Whether any episode of a project has no vector yet. */
  abstract hasWaiting(projectUid: string): Promise<boolean>;

  /** The episodes of a project that have no vector yet, last added first, whenever they were said. */
  abstract waiting(projectUid: string, limit: number): Promise<Episode[]>;

  /**
   * Sorts uids by what the index must do about them: embed those in `wanted`, keep those not named in the answer, and
   * hold nothing of those in `gone`.
   */
  abstract sort(
    projectUid: string,
    uids: readonly string[],
  ): Promise<{ wanted: EpisodeInContext[]; gone: string[] }>;

  /**
   * Notes that these episodes have their vectors. Those that got another previous turn meanwhile go on waiting, and so
   * do those behind them whose vectors tell of another one.
   * @returns those that were deleted meanwhile: they must have no vector
   */
  abstract markIndexed(projectUid: string, indexed: readonly IndexedEpisode[]): Promise<string[]>;

  /** Notes that these episodes lost their vectors. */
  abstract markLost(uids: readonly string[]): Promise<void>;

  /** Notes, for up to `limit` episodes, that all vectors are lost. @returns how many were noted; 0 when none is left */
  abstract markAllLost(limit: number): Promise<number>;

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

  /** How far the index is behind, over all projects. */
  abstract backlog(): Promise<{ episodes: number; oldestSeconds: number }>;

  /** Episodes that have their vectors, over all projects. Reads the whole table. */
  abstract countIndexed(): Promise<number>;

  /** Uids of indexed episodes, of any project, in order, starting behind `after`. */
  abstract indexedAfter(after: string | undefined, limit: number): Promise<string[]>;

  /** Those of the uids, of any project, that may have a vector. */
  abstract mayHaveVectors(uids: readonly string[]): Promise<Set<string>>;
}
