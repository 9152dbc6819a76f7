import { parse, stringify, v5 as uuidv5, validate, version } from 'uuid';

/** Of a time-ordered uid: its milliseconds and its counter, which sorts uids made in the same millisecond. */
const ORDERED_BYTES = 11;

/**
 * The uid of an imported row. It depends on the source uid and on the project or set that it is imported into, and on
 * nothing else: every import makes the same uid, and no other project can have it. Rows that were made at the same
 * instant keep the sequence that time-ordered source uids gave them.
 * @param sourceUid its uid or id in the source: any text; a uid in any case is the same uid
 * @param targetUid of the project or set that it is imported into
 */
export function importedUid(sourceUid: string, targetUid: string): string {
  if (!validate(sourceUid)) return uuidv5(sourceUid, targetUid);
  const source = sourceUid.toLowerCase();
  const hashed = uuidv5(source, targetUid);
  if (version(source) !== 7) return hashed;
  const bytes = parse(source);
  bytes.set(parse(hashed).subarray(0, bytes.length - ORDERED_BYTES), ORDERED_BYTES);
  return stringify(bytes);
}
