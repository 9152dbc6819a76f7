import { type Explanation } from '@loci/contracts';
import { type Opinion } from '@loci/models';
import { type OwnScore, ownParts, ranksOfLegs } from '@loci/retrieval';
import { type VectorHits } from '@loci/vectors';
import { DENSE_WEIGHT } from './feature-score.js';

/** What a search knows of the features of a set. */
export interface Evidence {
  readonly legs: VectorHits;
  /** By uid. */
  readonly own: ReadonlyMap<string, OwnScore>;
}

/**
 * Features with what their scores are made of.
 * @param opinions what the reranker made of those that it read
 */
export function explained<Hit extends { readonly uid: string }>(
  hits: readonly Hit[],
  { legs, own }: Evidence,
  opinions: ReadonlyMap<Hit, Opinion>,
): (Hit & { readonly explanation?: Explanation })[] {
  const ranks = ranksOfLegs(legs);
  return hits.map((hit) => {
    const itself = own.get(hit.uid);
    if (!itself) return hit;
    const parts = ownParts(hit.uid, ranks, itself, DENSE_WEIGHT);
    return { ...hit, explanation: { parts, sum: itself.score, reranker: opinions.get(hit) } };
  });
}
