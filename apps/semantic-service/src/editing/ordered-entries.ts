import { type OutlinedEntry } from '../features/feature-history.js';
import { type Group, groupsOf } from '../groups.js';

/** In sequence: uids of entries are sorted by time. */
export const byUid = (a: OutlinedEntry, b: OutlinedEntry): number => (a.uid < b.uid ? -1 : 1);

/** The entries of each change that has a uid. */
export const byChange = <Entry extends OutlinedEntry>(entries: readonly Entry[]): Group<Entry>[] =>
  groupsOf(
    entries.filter(({ origin }) => origin.changeUid !== undefined),
    changeOf,
  );

export const changeOf = ({ origin }: OutlinedEntry): string => origin.changeUid ?? '';

/** The changes of each feature, that which changed first behind the others. */
export const byFeature = <Entry extends OutlinedEntry>(entries: readonly Entry[]): Group<Entry>[] =>
  groupsOf(entries.toSorted(byUid), ({ featureUid }) => featureUid).reverse();

/** The uids of their features, each once. */
export const featuresOf = (entries: readonly OutlinedEntry[]): string[] => [
  ...new Set(entries.map(({ featureUid }) => featureUid)),
];

/** Uids of the features that a change touched and that were there behind it. */
export const leftBy = (ofChange: readonly OutlinedEntry[]): string[] =>
  byFeature(ofChange).flatMap((entries) => (entries.at(-1)?.after ? [entries[0].featureUid] : []));
