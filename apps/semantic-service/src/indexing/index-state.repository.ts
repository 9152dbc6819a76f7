import { type Transaction } from '@loci/persistence';
import { type IndexedFeature } from './feature-points.js';

/** A set whose features wait for something, with some of them, oldest first. */
export interface WaitingFeatures {
  readonly setUid: string;
  readonly uids: readonly string[];
}

/** Which features have their vectors. The table of features is the truth; the vector index follows it. */
export abstract class IndexStateRepository {
  /** Those of the sets in which a feature has no up to date vector. */
  abstract setsWaiting(setUids: readonly string[]): Promise<Set<string>>;

  /** The features of a set whose vector is not up to date, last changed first. */
  abstract waiting(setUid: string, limit: number): Promise<IndexedFeature[]>;

  /**
   * Sorts uids by what the index must do about them: embed those in `wanted`, keep those not named in the answer, and
   * hold nothing of those in `gone`.
   */
  abstract sort(
    setUid: string,
    uids: readonly string[],
  ): Promise<{ wanted: IndexedFeature[]; gone: string[] }>;

  /**
   * Notes that these features, as they were read, have their vectors.
   * @returns those that were deleted meanwhile: they must have none
   */
  abstract markIndexed(setUid: string, features: readonly IndexedFeature[]): Promise<string[]>;

  /** Notes that these features lost their vectors. */
  abstract markLost(uids: readonly string[]): Promise<void>;

  /** Notes, for up to `limit` features, that all vectors are lost. @returns how many were noted; 0 when none is left */
  abstract markAllLost(limit: number): Promise<number>;

  /** Removes tombstones whose vectors are gone. */
  abstract dropTombstones(setUid: string, uids: readonly string[]): Promise<void>;

  /** Takes features and tombstones that have waited for the index for long; they count as ordered now. */
  abstract takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<WaitingFeatures[]>;

  /** How far the index is behind, over all sets. */
  abstract backlog(): Promise<{ features: number; oldestSeconds: number }>;

  /** Features that have their vectors, over all sets. Reads the whole table. */
  abstract countIndexed(): Promise<number>;

  /** Indexed features, of any set, in the order of their uids, starting behind `after`. */
  abstract indexedAfter(
    after: string | undefined,
    limit: number,
  ): Promise<{ uid: string; revision: number }[]>;

  /** Those of the uids, of any set, that may have a vector. */
  abstract mayHaveVectors(uids: readonly string[]): Promise<Set<string>>;
}
