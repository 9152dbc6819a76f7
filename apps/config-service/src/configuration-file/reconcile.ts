import { type ConfigurationDocument } from './configuration-document.js';
import { digestOf, entriesIn, type FileEntry } from './file-entries.js';
import { type SeenEntries } from './seen-entries.repository.js';

export interface Reconciled {
  /** The entries of the file as they are now, without those that were edited by others. */
  readonly seen: SeenEntries;
  /** Entries that were edited since we read them; they are left alone. */
  readonly edited: readonly string[];
}

/**
 * Brings a document to what is wanted, entry by entry: what others wrote or removed since we read it stays so, and
 * a default that is not there is not written.
 */
export function reconcile(
  document: ConfigurationDocument,
  wanted: readonly FileEntry[],
  seen: SeenEntries,
): Reconciled {
  const found = new Map(entriesIn(document).map((entry) => [entry.id, entry]));
  const now = new Map<string, string>();
  const edited: string[] = [];
  const isOurs = ({ id, value }: FileEntry): boolean => seen.get(id) === digestOf(value);
  for (const entry of wanted) {
    const present = found.get(entry.id);
    found.delete(entry.id);
    const formerly = seen.get(entry.id);
    if (present && !isOurs(present) && digestOf(present.value) !== digestOf(entry.value)) {
      edited.push(entry.id);
      if (formerly !== undefined) now.set(entry.id, formerly);
    } else if (!present && (entry.isDefault || formerly !== undefined || entry.value === undefined)) {
      if (formerly !== undefined) now.set(entry.id, formerly);
    } else if (entry.value === undefined) {
      document.delete(entry.keys);
    } else {
      document.set(entry.keys, entry.value);
      now.set(entry.id, digestOf(document.get(entry.keys)));
    }
  }
  for (const orphan of found.values()) if (isOurs(orphan)) document.delete(orphan.keys);
  return { seen: now, edited };
}
