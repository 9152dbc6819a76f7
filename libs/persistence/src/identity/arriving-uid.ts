import { parse, stringify, v5 as uuidv5, validate, version } from 'uuid';

/** Of a time-ordered uid: its milliseconds and its counter, which order what was made at once. */
const ORDERED_BYTES = 11;

/**
 * The uid of something that arrives from elsewhere. It depends on the place where it arrives, whose own uid makes it
 * nobody else's, and on the source uid alone. What was made at the same instant keeps the order that time-ordered source
 * uids gave it.
 * @param sourceUid what it is called where it comes from: any text; a uid in any case is the same uid
 * @param placeUid of the project or set in which it arrives
 */
export function arrivingUid(sourceUid: string, placeUid: string): string {
  if (!validate(sourceUid)) return uuidv5(sourceUid, placeUid);
  const source = sourceUid.toLowerCase();
  const hashed = uuidv5(source, placeUid);
  if (version(source) !== 7) return hashed;
  const bytes = parse(source);
  bytes.set(parse(hashed).subarray(0, bytes.length - ORDERED_BYTES), ORDERED_BYTES);
  return stringify(bytes);
}
