import { instantFromIso, instantFromNumber, type Instant } from '@loci/contracts';
import { type Place, type Reader, reader, type Refused, REFUSED } from './place.js';
import { type Limit } from './wire-limits.js';

const INTEGER = /^\s*[+-]?\d+\s*$/;

/** A whole number; as text it is understood too. */
export const integer = ({ above, min, max }: { above?: number; min?: number; max: Limit }): Reader<number> =>
  reader(
    ({ limit }) => ({
      type: 'integer',
      ...(above !== undefined && { exclusiveMinimum: above }),
      ...(min !== undefined && { minimum: min }),
      maximum: limit(max),
    }),
    (value, place) => {
      const read = typeof value === 'string' ? parseInteger(value, place) : wholeNumber(value, place);
      if (read === REFUSED) return REFUSED;
      if (above !== undefined && read <= above) {
        return place.refuse('greater_than', `Input should be greater than ${above}`);
      }
      if (min !== undefined && read < min) {
        return place.refuse('greater_than_equal', `Input should be greater than or equal to ${min}`);
      }
      const most = place.limit(max);
      if (read <= most) return read;
      return place.refuse('less_than_equal', `Input should be less than or equal to ${most}`);
    },
  );

function parseInteger(value: string, place: Place): number | Refused {
  if (INTEGER.test(value)) return Number(value);
  return place.refuse('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
}

function wholeNumber(value: unknown, place: Place): number | Refused {
  if (typeof value !== 'number') return place.refuse('int_type', 'Input should be a valid integer');
  if (!Number.isFinite(value)) return place.refuse('finite_number', 'Input should be a finite number');
  if (Number.isInteger(value)) return value;
  return place.refuse(
    'int_from_float',
    'Input should be a valid integer, got a number with a fractional part',
  );
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** A finite number; as text it is understood too. */
export const finiteNumber: Reader<number> = reader(
  () => ({ type: 'number' }),
  (value, place) => {
    if (typeof value !== 'string' && typeof value !== 'number') {
      return place.refuse('float_type', 'Input should be a valid number');
    }
    if (typeof value === 'string' && !NUMBER.test(value)) {
      return place.refuse(
        'float_parsing',
        'Input should be a valid number, unable to parse string as a number',
      );
    }
    const read = Number(value);
    return Number.isFinite(read) ? read : place.refuse('finite_number', 'Input should be a finite number');
  },
);

/** A number from 0 to 1. */
export const share: Reader<number> = reader(
  () => ({ type: 'number', minimum: 0, maximum: 1 }),
  (value, place) => {
    const read = finiteNumber(value, place);
    if (read === REFUSED) return REFUSED;
    if (read < 0) return place.refuse('greater_than_equal', 'Input should be greater than or equal to 0');
    return read <= 1 ? read : place.refuse('less_than_equal', 'Input should be less than or equal to 1');
  },
);

const TRUE = new Set<unknown>([true, 1, '1', 'true', 't', 'yes', 'y', 'on']);
const FALSE = new Set<unknown>([false, 0, '0', 'false', 'f', 'no', 'n', 'off']);

/** A boolean as leniently as pydantic takes it. */
export const boolean: Reader<boolean> = reader(
  () => ({ type: 'boolean' }),
  (value, place) => {
    const folded = typeof value === 'string' ? value.toLowerCase() : value;
    if (TRUE.has(folded)) return true;
    if (FALSE.has(folded)) return false;
    return typeof value === 'string' || typeof value === 'number'
      ? place.refuse('bool_parsing', 'Input should be a valid boolean, unable to interpret input')
      : place.refuse('bool_type', 'Input should be a valid boolean');
  },
);

/** Unix seconds, milliseconds above 10^12, or ISO 8601; UTC when it names no offset (api-contract §0 row 16). */
export const moment: Reader<Instant> = reader(
  () => ({
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'number', minimum: -62_135_596_800, maximum: 253_402_300_799 },
    ],
    description: 'ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
  }),
  (value, place) => {
    if (typeof value !== 'number' && typeof value !== 'string') {
      return place.refuse('datetime_type', 'Input should be a valid datetime');
    }
    const read = typeof value === 'number' ? instantFromNumber(value) : instantFromIso(value);
    return (
      read ??
      place.refuse(
        'datetime_parsing',
        'Input should be a valid datetime: ISO 8601 like 2024-05-01T10:00:00Z, or Unix seconds, in the years 1 to 9999',
      )
    );
  },
);

/** One of a few texts. */
export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Reader<Choice> =>
  reader(
    () => ({ type: 'string', enum: choices }),
    (value, place) =>
      choices.find((choice) => choice === value) ??
      place.refuse('enum', `Input should be ${choices.map((choice) => `'${choice}'`).join(' or ')}`),
  );
