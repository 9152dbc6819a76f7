import { type HistoryEntry } from '../features/feature-history.js';
import { contentKey } from '../features/feature-states.js';
import { type FeatureState } from '../features/feature.js';
import { successorOf } from './held-again.js';

/**
 * What is taken back together of one change: with what replaced something goes what it ended and what became one with it, and the
 * other way round.
 * @param wanted some entries of the change
 * @param ofChange all of them
 * @returns these and their companions, in the sequence of `ofChange`
 */
export function withCompanions(
  wanted: readonly HistoryEntry[],
  ofChange: readonly HistoryEntry[],
): HistoryEntry[] {
  const absorbed = new Set(
    ofChange.flatMap((entry) => (entry.before && !entry.after ? [saidIn(entry, entry.before)] : [])),
  );
  const keysOf = (entry: HistoryEntry): string[] => {
    const state = entry.after ?? entry.before;
    const said = state && saidIn(entry, state);
    const successor = successorOf(entry.after) ?? entry.featureUid;
    return [successor, ...(said !== undefined && absorbed.has(said) ? [said] : [])];
  };
  const byKey = new Map<string, HistoryEntry[]>();
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
  changed: readonly HistoryEntry[],
  ofChange: readonly HistoryEntry[],
): HistoryEntry[] {
  const isMerge = changed.some(({ origin }) => origin.kind === 'consolidation');
  const said = new Set(changed.flatMap((entry) => (entry.after ? [saidIn(entry, entry.after)] : [])));
  return ofChange.filter(
    (entry) => entry.before && !entry.after && (isMerge || said.has(saidIn(entry, entry.before))),
  );
}

const saidIn = ({ location: { setUid } }: HistoryEntry, state: FeatureState): string =>
  contentKey({ ...state, setUid });
