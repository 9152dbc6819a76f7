import { AppError } from '@loci/contracts';
import { type Unindexed } from '@loci/indexing';
import { encodeQuery, rankLexically } from '@loci/models';
import { fuse } from '@loci/retrieval';
import { type VectorHits, type VectorIndex, type VectorQuery } from '@loci/vectors';
import { type Episode } from '../episodes/episode.js';
import { textToMatch } from '../indexing/episode-points.js';

export interface Legs extends VectorHits {
  /** True while the collection is being rebuilt: unindexed items, which words find, are all there is. */
  readonly isMissing: boolean;
}

const NO_INDEX: Legs = { dense: [], sparse: [], isMissing: true };

/** Both legs in one request to the index, if there is one. @throws AppError `vector_index_unavailable` */
export async function findLegs(
  vectors: VectorIndex | undefined,
  projectUid: string,
  query: string,
  options: Omit<VectorQuery, 'sparse'>,
): Promise<Legs> {
  if (!vectors) return NO_INDEX;
  try {
    const hits = await vectors.search(projectUid, { ...options, sparse: encodeQuery(query) });
    return { ...hits, isMissing: false };
  } catch (error) {
    if (error instanceof AppError && error.code === 'vector_index_missing') {
      return NO_INDEX;
    }
    throw error;
  }
}

/**
 * Scores by uid, 0 to 1. An unindexed episode has no score by meaning, so its words count in full. It may have an old
 * point: then it counts once, by what the index says.
 * @param denseWeight the share of meaning, against words
 */
export function joinLegs(
  { dense, sparse }: Legs,
  query: string,
  unindexed: Unindexed<Episode>,
  denseWeight: number,
): Map<string, number> {
  const inIndex = new Set([...dense, ...sparse].map(({ id }) => id));
  const waiting = unindexed.items.filter(({ uid }) => !inIndex.has(uid));
  const byWords = rankLexically(
    query,
    waiting.map((episode) => ({ id: episode.uid, text: textToMatch(episode) })),
  );
  return fuse([
    { hits: dense, weight: denseWeight },
    { hits: sparse, weight: 1 - denseWeight },
    { hits: byWords, weight: 1 },
  ]);
}
