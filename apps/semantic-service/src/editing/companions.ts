import { type OutlinedEntry, type OutlinedState } from '../features/feature-history.js';
import { contentKey } from '../features/feature-states.js';
import { successorOf } from './held-again.js';

/**
 * What is taken back together of one change: with what replaced something goes what it ended and what became one with it, and the
 * other way round.
 * @param wanted some entries of the change
 * @param ofChange all of them
 * @returns these and their companions, in the sequence of `ofChange`
 */
export function withCompanions(
  wanted: readonly OutlinedEntry[],
  ofChange: readonly OutlinedEntry[],
): OutlinedEntry[] {
  const absorbed = new Set(
    ofChange.flatMap((entry) => (entry.before && !entry.after ? [saidIn(entry, entry.before)] : [])),
  );
  const keysOf = (entry: OutlinedEntry): string[] => {
    const state = entry.after ?? entry.before;
    const said = state && saidIn(entry, state);
    const successor = successorOf(entry.after) ?? entry.featureUid;
    return [successor, ...(said !== undefined && absorbed.has(said) ? [said] : [])];
  };
  const byKey = new Map<string, OutlinedEntry[]>();
  for (const entry of ofChange) {
    for (const key of keysOf(entry)) byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  const uids = new Set<string>();
  const waiting = [...wanted];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    if (uids.has(entry.uid)) continue;
    uids.add(entry.uid);
    waiting.push(...keysOf(entry).flatMap((key) => byKey.get(key) ?? []));
  }
  return ofChange.filter(({ uid }) => uids.has(uid));
}

/**
 * What became one with features when a change made them say the same, or merged it into them.
 * @param changed what a change made of features that stayed
 * @param ofChange all of the change
 */
export function takenInBy(
  changed: readonly OutlinedEntry[],
  ofChange: readonly OutlinedEntry[],
): OutlinedEntry[] {
  const isMerge = changed.some(({ origin }) => origin.kind === 'consolidation');
  const said = new Set(changed.flatMap((entry) => (entry.after ? [saidIn(entry, entry.after)] : [])));
  return ofChange.filter(
    (entry) => entry.before && !entry.after && (isMerge || said.has(saidIn(entry, entry.before))),
  );
}

/**
 * The consolidation that took features away before an undo took them away again.
 * @param entries what happened to the features, newest first
 */
export function consolidationBefore(
  removed: readonly OutlinedEntry[],
  entries: readonly OutlinedEntry[],
): string | undefined {
  const undone = removed.filter(({ origin }) => origin.kind === 'undo');
  const former = undone.flatMap((entry) =>
    entries.filter(
      ({ uid, featureUid, after, origin }) =>
        featureUid === entry.featureUid && uid < entry.uid && !after && origin.kind === 'consolidation',
    ),
  );
  return former[0]?.origin.changeUid;
}

/**
 * Of a change what makes a consolidation again: none where nothing that it had made comes back.
 * @param consolidation all of it
 */
export function madeAgain(
  ofChange: readonly OutlinedEntry[],
  consolidation: readonly OutlinedEntry[],
): OutlinedEntry[] {
  const made = new Set(consolidation.flatMap(({ before, featureUid }) => (before ? [] : [featureUid])));
  if (!ofChange.some(({ before, featureUid }) => !before && made.has(featureUid))) return [];
  const touched = new Set(consolidation.map(({ featureUid }) => featureUid));
  return ofChange.filter(({ featureUid }) => touched.has(featureUid));
}

const saidIn = ({ location: { setUid } }: OutlinedEntry, state: OutlinedState): string =>
  contentKey({ ...state, setUid });
