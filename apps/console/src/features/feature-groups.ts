import { type Feature } from './features.js';

/** What a list of features is made of: the beginning of a set, of a category, or a feature. */
export type FeatureRow =
  | { readonly kind: 'set'; readonly set: string; readonly count: number }
  | { readonly kind: 'category'; readonly set: string; readonly category: string; readonly count: number }
  | { readonly kind: 'feature'; readonly feature: Feature };

/** What tells a row from the others, wherever it is; undefined for none. */
export function keyOfRow(row: FeatureRow | undefined): string | undefined {
  switch (row?.kind) {
    case 'set':
      return `set ${row.set}`;
    case 'category':
      return `category ${JSON.stringify([row.set, row.category])}`;
    case 'feature':
      return `feature ${row.feature.metadata.id}`;
    case undefined:
      return undefined;
  }
}

/** @returns the features by set, category and tag, as rows of a list */
export function featureRows(features: readonly Feature[]): FeatureRow[] {
  return [...groupedBy(features, ({ set_id }) => set_id)].flatMap(([set, ofSet]): FeatureRow[] => [
    { kind: 'set', set, count: ofSet.length },
    ...[...groupedBy(ofSet, ({ category }) => category)].flatMap(([category, ofCategory]): FeatureRow[] => [
      { kind: 'category', set, category, count: ofCategory.length },
      ...ofCategory
        .toSorted((one, other) => one.tag.localeCompare(other.tag))
        .map((feature) => ({ kind: 'feature' as const, feature })),
    ]),
  ]);
}

/** How often each value is there, most frequent first. */
export function counted(values: readonly string[]): (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function groupedBy(
  features: readonly Feature[],
  keyOf: (feature: Feature) => string,
): Map<string, Feature[]> {
  const groups = new Map<string, Feature[]>();
  for (const feature of features)
    groups.set(keyOf(feature), [...(groups.get(keyOf(feature)) ?? []), feature]);
  return new Map([...groups].sort(([one], [other]) => one.localeCompare(other)));
}
