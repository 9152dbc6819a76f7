/** Never empty. */
export type Group<Item> = readonly [Item, ...Item[]];

/** The items by what they have in common; groups in the sequence of their first items. */
export function groupsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
