import { type FeaturesReference } from '@loci/contracts';
import { type IndexVersion } from '@loci/indexing';
import { type Transaction } from '@loci/persistence';
import { type IndexedFeature } from './feature-points.js';

/** Which features have their vectors. The table of features is the truth; the vector index follows it. */
export abstract class IndexStateRepository {
  /** The features of a set whose vector is not up to date, last changed first. */
  abstract waiting(setUid: string, limit: number): Promise<IndexedFeature[]>;

  /** Those of the uids of which the index must hold nothing. */
  abstract gone(setUid: string, uids: readonly string[]): Promise<string[]>;

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and hold nothing of those in `gone`.
   */
  abstract sort(
    indexVersion: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: IndexedFeature[]; gone: string[] }>;

  /** Features that are not in an index version that is being built, oldest first, behind `after`. */
  abstract missing(
    indexVersion: IndexVersion,
    after: IndexedFeature | undefined,
    limit: number,
  ): Promise<IndexedFeature[]>;

  /**
   * Notes that these features, as they were read, have their vectors in an index version; nothing for an index version that is not used any
   * more.
   * @returns those that were deleted meanwhile: they must have none
   */
  abstract markIndexed(indexVersion: IndexVersion, features: readonly IndexedFeature[]): Promise<string[]>;

  /** Removes tombstones whose vectors are gone. */
  abstract dropTombstones(setUid: string, uids: readonly string[]): Promise<void>;

  /** Takes features and tombstones that have waited for the index for long; they count as ordered now. */
  abstract takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<FeaturesReference[]>;
}
