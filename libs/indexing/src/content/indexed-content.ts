import { type VectorPoint } from '@loci/vectors';
import { type IndexSpace } from '../spaces/index-space.js';

/** What a service keeps vectors of, and which of it has them. Its table is the truth; the index follows. Also the injection token. */
export abstract class IndexedContent<Item> {
  /** What the embedder reads. */
  abstract textToEmbed(item: Item): string;

  abstract toPoint(item: Item, dense: ArrayLike<number>): VectorPoint;

  /**
   * Sorts uids by what the index must do about them in a space that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and hold nothing of those in `gone`.
   */
  abstract sort(
    space: IndexSpace,
    uids: readonly string[],
  ): Promise<{ readonly wanted: Item[]; readonly gone: string[] }>;

  /** What is not in a space that is being built, in an order of its own, behind `after`. */
  abstract missing(space: IndexSpace, after: Item | undefined, limit: number): Promise<Item[]>;

  /**
   * Notes that these, as they were read, have their vectors in a space; nothing for a space that is not used any more.
   * @returns the uids of those that were deleted meanwhile: they must have no vector
   */
  abstract markIndexed(space: IndexSpace, items: readonly Item[]): Promise<string[]>;

  /** Removes tombstones whose vectors are gone. */
  abstract dropTombstones(ownerUid: string, uids: readonly string[]): Promise<void>;
}
