/**
 * Characters of episodes that the short-term window shows: what its summary leaves of the capacity, but half of it at
 * least.
 */
export const windowChars = (capacityChars: number, summary: string): number =>
  Math.max(Math.floor(capacityChars / 2), capacityChars - summary.length);
