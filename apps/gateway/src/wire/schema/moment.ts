import { type Instant, instantFromIso, instantFromNumber } from '@loci/contracts';
import { parsed, Unreadable } from '@loci/platform/schema';

const NO_DATETIME = Unreadable.as({ type: 'datetime_type', msg: 'Input should be a valid datetime' });

const UNPARSED = Unreadable.as({
  type: 'datetime_parsing',
  msg: 'Input should be a valid datetime: ISO 8601 like 2024-05-01T10:00:00Z, or Unix seconds, in the years 1 to 9999',
});

/** What a moment looks like. */
export const MOMENT = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'number', minimum: -62_135_596_800, maximum: 253_402_300_799 },
  ],
  description: 'ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
};

/** A number as text; shorter ones look like years and dates. */
const NUMBER_AS_TEXT = /^\d{9,}(?:\.\d+)?$/;

/** Unix seconds, milliseconds above 10^12, or ISO 8601; UTC when it names no offset (api-contract §0 row 16). */
export const moment = parsed<Instant>(MOMENT, instantOf);

/** As `moment`, of a query string, where numbers come as text. */
export const momentInQuery = parsed<Instant>(MOMENT, (value) =>
  instantOf(typeof value === 'string' && NUMBER_AS_TEXT.test(value) ? Number(value) : value),
);

function instantOf(value: unknown): Instant | Unreadable {
  if (typeof value === 'string') return instantFromIso(value) ?? UNPARSED;
  return typeof value === 'number' ? (instantFromNumber(value) ?? UNPARSED) : NO_DATETIME;
}
