import { type ContextSize } from './turns.repository.js';

/** One third of the context comes before a hit, the rest behind it. At least one episode is left for the hit itself. */
export function contextSize(expandContext: number, topK: number): ContextSize {
  const size = Math.min(expandContext, topK - 1);
  const before = Math.floor(size / 3);
  return { before, after: size - before };
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
