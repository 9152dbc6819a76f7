/** A hit that can be near to others in time. */
export interface TimedHit {
  readonly id: string;
  readonly score: number;
  readonly atMs: number;
}

/** Hits this far apart in time have nothing to do with each other; nearer ones, the more. */
const MOMENT_MS = 600_000;

/**
 * Sorts hits so that the first are not all of one moment: maximal marginal relevance (Carbonell and Goldstein 1998)
 * with nearness in time as the similarity. Each next hit is the one with the best
 * `(1 - diversity) score - diversity nearness to the nearest chosen one`.
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
  const rest = hits.map((hit) => ({ hit, nearness: 0 }));
  const chosen: Hit[] = [];
  while (chosen.length < count && rest.length > 0) {
    const values = rest.map(({ hit, nearness }) => (1 - diversity) * hit.score - diversity * nearness);
    const [best] = rest.splice(values.indexOf(Math.max(...values)), 1);
    if (!best) break;
    chosen.push(best.hit);
    for (const other of rest) other.nearness = Math.max(other.nearness, nearnessOf(best.hit, other.hit));
  }
  return [...chosen, ...rest.map(({ hit }) => hit)];
}

const nearnessOf = (a: TimedHit, b: TimedHit): number =>
  Math.max(0, 1 - Math.abs(a.atMs - b.atMs) / MOMENT_MS);
