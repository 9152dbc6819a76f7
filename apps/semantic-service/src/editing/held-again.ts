import { type OutlinedEntry } from '../features/feature-history.js';
import { type FeatureRecord, type FeatureState } from '../features/feature.js';
import { allDates, validityOf } from '../features/validity.js';

/** The feature by which something ended. */
export const successorOf = (state: Pick<FeatureState, 'dates'> | undefined): string | undefined =>
  validityOf(state?.dates).supersededBy;

/**
 * A feature that ended when its successor came to say what is taken back now.
 * @param undone the first change of the successor that is taken back
 * @param since what happened to both from then on, newest first
 * @returns it without that end; `gone` when it is what the successor said in between; undefined when it had ended before
 */
export function heldAgain(
  record: FeatureRecord,
  undone: OutlinedEntry,
  since: readonly OutlinedEntry[],
): FeatureRecord | 'gone' | undefined {
  const successor = undone.featureUid;
  const ending = since.find(
    ({ featureUid, uid, before, after }) =>
      featureUid === record.uid &&
      uid > undone.uid &&
      successorOf(after) === successor &&
      successorOf(before) !== successor,
  );
  // what an undo brought back had ended it before
  if (!ending && (undone.before || undone.origin.kind === 'undo')) return undefined;
  const isFormerValue =
    ending !== undefined &&
    !ending.before &&
    since.some((one) => one.featureUid === successor && one.origin.changeUid === ending.origin.changeUid);
  if (isFormerValue) return 'gone';
  const formerEnds = ending?.before?.dates?.filter(({ bound }) => bound === 'until');
  const others = record.dates?.filter(({ supersededBy }) => supersededBy !== successor);
  return { ...record, dates: allDates(formerEnds, others) };
}
