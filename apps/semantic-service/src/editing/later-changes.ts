import { conflict } from '@loci/contracts';
import { type OutlinedEntry } from '../features/feature-history.js';

/** Of more the sentence would be no help. */
const MAX_NAMED = 5;

/**
 * Refuses where features were changed since what is taken back.
 * @param wanted the entries that are taken back
 * @param since what happened to their features from the first of them on, newest first
 * @throws AppError `changed_since`, which names the changes, newest first
 */
export function refuseLaterChanges(wanted: readonly OutlinedEntry[], since: readonly OutlinedEntry[]): void {
  const known = new Set(wanted.map(({ uid }) => uid));
  const firsts = new Map<string, string>();
  for (const { uid, featureUid } of wanted) {
    const first = firsts.get(featureUid);
    if (first === undefined || uid < first) firsts.set(featureUid, uid);
  }
  const later = since.filter(
    ({ uid, featureUid }) => !known.has(uid) && uid > (firsts.get(featureUid) ?? uid),
  );
  const changes = [...new Set(later.map(({ uid, origin }) => origin.changeUid ?? uid))];
  if (changes.length === 0) return;
  const named = changes.slice(0, MAX_NAMED).join(', ');
  const more = changes.length > MAX_NAMED ? ` and ${changes.length - MAX_NAMED} more` : '';
  throw conflict(
    'changed_since',
    `These features were changed since, by ${named}${more}, so nothing was undone; look at these changes, or undo them, too.`,
  );
}
