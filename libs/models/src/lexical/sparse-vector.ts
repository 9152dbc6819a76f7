/** Weights by term: `indices` ascending and unique, unsigned 32 bits; `values` beside them. */
export interface SparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** Weights that fall on the same index are added up. */
export function toSparseVector(weights: Iterable<readonly [index: number, value: number]>): SparseVector {
  const byIndex = new Map<number, number>();
  for (const [index, value] of weights) byIndex.set(index, (byIndex.get(index) ?? 0) + value);
  const sorted = [...byIndex].sort(([a], [b]) => a - b);
  return { indices: sorted.map(([index]) => index), values: sorted.map(([, value]) => value) };
}
