import { type SearchWeights } from '@loci/retrieval';
import { average, type Quality } from '../metrics.js';
import { type ReplayedSet } from './replayed-set.js';

/** What is tried for each weight. */
const TRIED: Partial<Record<keyof SearchWeights, readonly number[]>> = {
  dense: [0.35, 0.4, 0.45, 0.5, 0.55],
  neighbours: [0.15, 0.2, 0.25, 0.3, 0.35],
  secondNeighbours: [0, 0.05, 0.1, 0.15, 0.2],
  session: [0.1, 0.15, 0.2, 0.25],
  participant: [0.15, 0.2, 0.25],
  time: [0.1, 0.15, 0.2],
  firstPerson: [0.1, 0.15, 0.2, 0.25],
  question: [0.04, 0.06, 0.08, 0.1],
};

const ROUNDS = 2;

/** How much the first hits count beside recall. */
const FIRST_HITS = 0.25;

/** The same for each set, however many questions it has. @param without a part of the set that is left out */
function valueOf(sets: readonly ReplayedSet[], weights: SearchWeights, without?: LeftOut): number {
  const values = sets.map((set) => {
    const parts = set.measure(weights).filter((_, part) => set !== without?.set || part !== without.part);
    const { recall, mrr } = average(parts.flat());
    return (recall[10] ?? 0) + FIRST_HITS * mrr;
  });
  return values.reduce((sum, value) => sum + value, 0);
}

interface LeftOut {
  readonly set: ReplayedSet;
  readonly part: number;
}

/** Takes for one weight after the other what is best, with the others as they are. */
export function choose(sets: readonly ReplayedSet[], from: SearchWeights, without?: LeftOut): SearchWeights {
  let best = from;
  let bestValue = valueOf(sets, from, without);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [weight, tried] of Object.entries(TRIED)) {
      for (const value of tried) {
        const candidate = { ...best, [weight]: value };
        const reached = valueOf(sets, candidate, without);
        if (reached > bestValue) [best, bestValue] = [candidate, reached];
      }
    }
  }
  return best;
}

/** What weights are worth that were chosen without the part that they are measured on. */
export function leaveOneOut(sets: readonly ReplayedSet[], set: ReplayedSet, from: SearchWeights): Quality {
  return average(set.parts.flatMap((_, part) => set.measure(choose(sets, from, { set, part }))[part] ?? []));
}
