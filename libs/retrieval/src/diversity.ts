/** A hit that can be near to others in time. */
export interface TimedHit {
  readonly id: string;
  readonly score: number;
  readonly atMs: number;
}

/** Hits this far apart in time have nothing to do with each other; nearer ones, the more. */
const MOMENT_MS = 600_000;

/** The best hits, among which those to choose are looked for: each choice looks at all of them, without a rest. */
const MOST_WEIGHED = 4_000;

interface Weighed<Hit> {
  readonly hit: Hit;
  /** To the nearest chosen one. */
  nearness: number;
  isChosen: boolean;
}

/**
 * Sorts hits so that the first are not all of one moment: maximal marginal relevance (Carbonell and Goldstein 1998)
 * with nearness in time as the similarity. Each next hit is the one with the best
 * `(1 - diversity) score - diversity nearness to the nearest chosen one`, of the 4,000 best hits.
 * @param hits best first
 * @param diversity 0 keeps the order, 1 looks at nothing but the distance
 * @param count how many to choose; the rest follows in its order
 */
export function diversify<Hit extends TimedHit>(
  hits: readonly Hit[],
  diversity: number,
  count: number,
): Hit[] {
  if (diversity === 0) return [...hits];
  const weighed = hits.slice(0, MOST_WEIGHED).map((hit) => ({ hit, nearness: 0, isChosen: false }));
  const chosen: Hit[] = [];
  while (chosen.length < count) {
    const best = nextBest(weighed, diversity, chosen.at(-1));
    if (!best) break;
    best.isChosen = true;
    chosen.push(best.hit);
  }
  const others = weighed.filter(({ isChosen }) => !isChosen).map(({ hit }) => hit);
  return [...chosen, ...others, ...hits.slice(MOST_WEIGHED)];
}

/** The best of those that are not chosen, the first one of equals. @param last the one chosen before it, which may be nearer to them */
function nextBest<Hit extends TimedHit>(
  weighed: readonly Weighed<Hit>[],
  diversity: number,
  last: TimedHit | undefined,
): Weighed<Hit> | undefined {
  let best: Weighed<Hit> | undefined;
  let bestValue = -Infinity;
  for (const one of weighed) {
    if (one.isChosen) continue;
    if (last) one.nearness = Math.max(one.nearness, nearnessOf(last, one.hit));
    const value = (1 - diversity) * one.hit.score - diversity * one.nearness;
    if (best && value <= bestValue) continue;
    best = one;
    bestValue = value;
  }
  return best;
}

const nearnessOf = (a: TimedHit, b: TimedHit): number =>
  Math.max(0, 1 - Math.abs(a.atMs - b.atMs) / MOMENT_MS);
