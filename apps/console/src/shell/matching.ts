import { defaultFilter } from 'cmdk';

/**
 * Those whose name has what was typed, the likeliest first; all of them, in their own order, while nothing is typed.
 * @param limit so many at most
 * @returns them, and how many were left out
 */
export function matching<Item>(
  items: readonly Item[],
  typed: string,
  nameOf: (item: Item) => string,
  limit = Infinity,
): { readonly found: readonly Item[]; readonly leftOut: number } {
  const found =
    typed.trim() === ''
      ? items
      : items
          .map((item) => ({ item, score: defaultFilter(nameOf(item), typed) }))
          .filter(({ score }) => score > 0)
          .sort((one, other) => other.score - one.score)
          .map(({ item }) => item);
  return { found: found.slice(0, limit), leftOut: Math.max(0, found.length - limit) };
}
