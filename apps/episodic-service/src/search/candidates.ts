import { AppError } from '@loci/contracts';
import { type OpenIndexVersion, type Unindexed } from '@loci/indexing';
import { type EncodedQuery, rankLexically, type TermRarity } from '@loci/models';
import { type OwnScore, ownScores, type SimilarityCurve } from '@loci/retrieval';
import { type VectorHits, type VectorQuery } from '@loci/vectors';

export interface Legs extends VectorHits {
  /** True while the collection is being rebuilt: unindexed items, which words find, are all there is. */
  readonly isMissing: boolean;
}

const NO_INDEX: Legs = { dense: [], sparse: [], isMissing: true };

/** The words of a query, and how rare they are in the project. */
export interface AskedWords {
  readonly query: EncodedQuery;
  readonly rarity: TermRarity;
}

/** Both legs in one request to the index, if there is one. @throws AppError `vector_index_unavailable` */
export async function findLegs(
  index: OpenIndexVersion | undefined,
  projectUid: string,
  { query, rarity }: AskedWords,
  options: Omit<VectorQuery, 'sparse'>,
): Promise<Legs> {
  if (!index) return NO_INDEX;
  try {
    const hits = await index.vectors.search(projectUid, {
      ...options,
      sparse: rarity.weigh(query.words),
    });
    return { ...hits, isMissing: false };
  } catch (error) {
    if (error instanceof AppError && error.code === 'vector_index_missing') {
      return NO_INDEX;
    }
    throw error;
  }
}

/**
 * What the legs say of each episode, by uid. Unindexed episodes compete by their words.
 * @param options.denseWeight the share of meaning, against words
 */
export function joinLegs(
  { dense, sparse }: Legs,
  { query, rarity }: AskedWords,
  { texts }: Unindexed,
  { curve, denseWeight }: { readonly curve: SimilarityCurve; readonly denseWeight: number },
): Map<string, OwnScore> {
  const waiting = texts.length > 0 ? rankLexically(query, texts, rarity) : [];
  return ownScores(
    {
      dense,
      sparse,
      waiting,
      curve,
      terms: query.words.indices.length,
      documents: rarity.documents,
    },
    denseWeight,
  );
}
