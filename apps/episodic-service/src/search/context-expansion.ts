import { type ContextSize } from './turns.repository.js';

/** Messages that the context of all hits of an answer is looked for among, on each side. */
const LOOKED_THROUGH = 20_000;

/** Of each hit. */
const MIN_LOOKED_THROUGH = 100;
const MAX_LOOKED_THROUGH = 1_000;

/** One third of the context comes before a hit, the rest behind it. At least one episode is left for the hit itself. */
export function contextSize(expandContext: number, topK: number): ContextSize {
  const size = Math.min(expandContext, topK - 1);
  const before = Math.floor(size / 3);
  const share = Math.min(MAX_LOOKED_THROUGH, Math.floor(LOOKED_THROUGH / topK));
  return { before, after: size - before, within: Math.max(MIN_LOOKED_THROUGH, share, size) };
}

/** Hits whose context is asked for at a time, at least. */
const STEP = 10;

/**
 * As `expand`, asking for the context of as many hits as it takes: with much context the first few hits fill an answer.
 * @param contextOf the contexts of some hits
 */
export async function expandInSteps(
  hits: readonly string[],
  contextOf: (hits: readonly string[]) => Promise<readonly (readonly [string, readonly string[]])[]>,
  { topK, size: { before, after } }: { readonly topK: number; readonly size: Omit<ContextSize, 'within'> },
): Promise<Map<string, string>> {
  // twice as many as fill it where no neighbours are shared
  const step = Math.max(STEP, Math.ceil((2 * topK) / (1 + before + after)));
  const context = new Map<string, readonly string[]>();
  let broughtBy = new Map<string, string>();
  for (let asked = 0; asked < hits.length && broughtBy.size < topK; asked += step) {
    for (const [hit, neighbours] of await contextOf(hits.slice(asked, asked + step)))
      context.set(hit, neighbours);
    broughtBy = expand(hits.slice(0, asked + step), context, topK);
  }
  return broughtBy;
}

/**
 * Each hit with its context, until there are `topK`: a hit comes before its context, and nothing comes twice.
 * @param hits best first
 * @param contextOf the neighbours of a hit, nearest first on each side
 * @returns ids with the hit that brought each in, best first
 */
export function expand(
  hits: readonly string[],
  contextOf: ReadonlyMap<string, readonly string[]>,
  topK: number,
): Map<string, string> {
  const broughtBy = new Map<string, string>();
  for (const hit of hits) {
    for (const id of [hit, ...(contextOf.get(hit) ?? [])]) {
      if (broughtBy.size === topK) return broughtBy;
      if (!broughtBy.has(id)) broughtBy.set(id, hit);
    }
  }
  return broughtBy;
}
