import { type Wire } from '../api/loci.js';

/** One of the two kinds of vectors of a project. */
interface Vectors {
  readonly state: Wire['ProjectIndex']['state'];
  /** The embedder that should be used. */
  readonly embedder: string;
  /** What searches use; absent while nothing was indexed. */
  readonly active: string | undefined;
  /** What is being filled; absent until a move has begun to fill it. */
  readonly target: string | undefined;
}

/** @returns the embedder that the vectors move to, also before the first of them is made; undefined when they do not move */
export function movesTo({ state, embedder, active, target }: Vectors): string | undefined {
  if (target !== undefined) return target;
  return state === 'moving' && embedder !== active ? embedder : undefined;
}
