/** The id of a record is made with its time, in the same process. */
const APART_MS = 60_000;

/** Ids that records from an instant on have: none of them is smaller. */
export const firstIdOf = (instant: string): string => idAt(Date.parse(instant) - APART_MS);

/** Ids that records before an instant have: all of them are smaller. */
export const endIdOf = (instant: string): string => idAt(Date.parse(instant) + APART_MS);

/** The least UUIDv7 of a time begins with it: 48 bits of milliseconds. */
function idAt(ms: number): string {
  const digits = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
