import { type VectorPoint } from '@loci/vectors';
import { type IndexVersion } from '../index-versions/index-version.js';

/** What a service keeps vectors of, and which of it has them. Its table is the truth; the index follows. Also the injection token. */
export abstract class IndexedContent<Item> {
  /** What the embedder reads. */
  abstract textToEmbed(item: Item): string;

  abstract toPoint(item: Item, dense: ArrayLike<number>): VectorPoint;

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and have nothing of those in `gone`.
   */
  abstract sort(
    indexVersion: IndexVersion,
    uids: readonly string[],
  ): Promise<{ readonly wanted: Item[]; readonly gone: string[] }>;

  /** Those of the uids that are to have a vector, whether or not they have one. */
  abstract present(indexVersion: IndexVersion, uids: readonly string[]): Promise<Item[]>;

  /** What is not in an index version that is being built. */
  abstract missing(indexVersion: IndexVersion, limit: number): Promise<Item[]>;

  /**
   * Notes that these, as they were read, have their vectors in an index version; nothing for an index version that is not used any more.
   * @returns the uids of those that were deleted meanwhile: they must have no vector
   */
  abstract markIndexed(indexVersion: IndexVersion, items: readonly Item[]): Promise<string[]>;

  /** What the words of an owner are counted in: as words are matched, at most so many texts, from all of its time. */
  abstract textsToMatch(ownerUid: string, limit: number): Promise<string[]>;

  /** Removes tombstones whose vectors are gone. */
  abstract dropTombstones(ownerUid: string, uids: readonly string[]): Promise<void>;
}
