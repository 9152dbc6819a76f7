import { parse, stringify, v5 as uuidv5, validate, version } from 'uuid';

/** Of a time-ordered uid: its milliseconds and its counter, which order the messages of one add. */
const ORDERED_BYTES = 11;

/**
 * The uid of an episode that arrives from elsewhere. It depends on the project, whose own uid makes it nobody else's, and
 * on the source uid alone. Episodes of the same instant keep the order that their time-ordered source uids gave them.
 */
export function arrivingUid(sourceUid: string, projectUid: string): string {
  const hashed = uuidv5(sourceUid, projectUid);
  if (!validate(sourceUid) || version(sourceUid) !== 7) return hashed;
  const bytes = parse(sourceUid);
  bytes.set(parse(hashed).subarray(0, bytes.length - ORDERED_BYTES), ORDERED_BYTES);
  return stringify(bytes);
}
