/**
 * A moment in UTC with microseconds, always written `YYYY-MM-DDTHH:MM:SS.ffffffZ` (27 characters), so that
 * the order of the texts is the order of the moments. Agents send microseconds; a `Date` would drop them.
 */
export type Instant = string & { readonly __brand: 'Instant' };

export const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const SECONDS_LIMIT = 1e12;
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads ISO 8601 with any offset; without an offset it is UTC, without a time it is midnight.
 * @returns undefined when the text is no such moment, or names a day that does not exist
 */
export function instantFromIso(text: string): Instant | undefined {
  const parts = ISO_8601.exec(text);
  if (!parts) return undefined;
  const [, date = '', minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = parts;
  const wholeMs = Date.parse(`${date}T${minutes}:${seconds}Z`);
  if (Number.isNaN(wholeMs) || !new Date(wholeMs).toISOString().startsWith(date)) return undefined;
  const offsetMs = offsetOf(zone);
  if (offsetMs === undefined) return undefined;
  return build(wholeMs - offsetMs, Number(fraction.slice(0, 6).padEnd(6, '0')));
}

/**
 * Reads a number: Unix seconds, or milliseconds when above 10^12 (api-contract §0 row 16).
 * @returns undefined outside the years 1 to 9999
 */
export function instantFromNumber(value: number): Instant | undefined {
  if (!Number.isFinite(value)) return undefined;
  const ms = Math.abs(value) > SECONDS_LIMIT ? value : value * 1000;
  const wholeMs = Math.floor(ms / 1000) * 1000;
  const micros = Math.round((ms - wholeMs) * 1000);
  return micros === 1_000_000 ? build(wholeMs + 1000, 0) : build(wholeMs, micros);
}

export const instantFromDate = (date: Date): Instant => `${date.toISOString().slice(0, -1)}000Z` as Instant;

function offsetOf(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.replace(/\D/g, '').padEnd(4, '0');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function build(wholeSecondMs: number, micros: number): Instant | undefined {
  if (!(wholeSecondMs >= EARLIEST_MS && wholeSecondMs <= LATEST_MS)) return undefined;
  const toTheSecond = new Date(wholeSecondMs).toISOString().slice(0, 19);
  return `${toTheSecond}.${String(micros).padStart(6, '0')}Z` as Instant;
}
