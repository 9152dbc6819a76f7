import {
  DATE_PRECISIONS,
  type Dated,
  type Instant,
  invalid,
  VALIDITY_STATES,
  type Validity,
} from '@loci/contracts';
import { described, nullish, oneOf, parsedFrom, Unreadable, withKeywords } from '@loci/platform/schema';
import { type Static, type TObject, Type } from 'typebox';
import { EXAMPLE_INSTANT } from './examples.js';
import { wireInstant } from './instant.wire.js';
import { dated } from './schema/dated.js';
import { MOMENT, moment, momentInQuery } from './schema/moment.js';

/** Plans reach no further; a later moment is a mistake. */
const MAX_YEARS_AHEAD = 10;
const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

const TOO_FAR = Unreadable.as({
  type: 'moment_too_far',
  msg: `Input should be at most ${MAX_YEARS_AHEAD} years from now`,
});

/** A moment whose knowledge is asked for. @param given as it comes */
const asOfBy = (given: typeof moment) =>
  described(
    nullish(
      parsedFrom<Instant, typeof moment>(MOMENT, given, (at) =>
        Date.parse(at) > Date.now() + MAX_YEARS_AHEAD * YEAR_MS ? TOO_FAR : at,
      ),
    ),
    'Only features that held at this moment, by what is known today. Absent or null = those that have neither ended nor expired. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12; at most 10 years from now.',
    EXAMPLE_INSTANT,
  );

export const asOf = asOfBy(moment);

export const asOfInQuery = asOfBy(momentInQuery);

/** Which features are read, by when they hold. */
export const timeFields = {
  as_of: asOf,
  validity: nullish(
    withKeywords(oneOf(VALIDITY_STATES), {
      description:
        '`current`: features that have neither ended nor expired; `ended`: only those that have ended; `expired`: only those that nothing has said again within the time to live of their category; `all`: all of them. Absent or null = `current`. Not beside `as_of`.',
    }),
  ),
};

export interface TimeBody {
  readonly as_of?: Instant | undefined;
  readonly validity?: (typeof VALIDITY_STATES)[number] | undefined;
}

/** @throws AppError `invalid_request` for a moment with a state */
export function timeOf({ as_of, validity }: TimeBody) {
  if (as_of !== undefined && validity !== undefined) {
    const msg = 'Input should be absent beside as_of: that moment decides what has ended';
    throw invalid('invalid_request', [{ loc: ['body', 'validity'], msg, type: 'value_error' }]);
  }
  return { asOf: as_of, validity };
}

/** When what a client writes holds. */
export const statedFields = {
  valid_from: described(
    nullish(dated),
    'Since when it holds. Absent or null = nothing is said of it.',
    '2024-03',
  ),
  valid_until: described(
    nullish(dated),
    'The first moment at which it does not hold any more. Absent or null = nothing is said of it.',
    '2025-01-31',
  ),
};

export interface StatedBody {
  readonly valid_from?: Dated | undefined;
  readonly valid_until?: Dated | undefined;
}

/** @throws AppError `invalid_request` for what ends before it begins */
export function statedValidity({ valid_from: validFrom, valid_until: validUntil }: StatedBody) {
  if (validFrom && validUntil && validUntil.at <= validFrom.at) {
    const msg = 'Input should be later than valid_from: nothing ends before it begins';
    throw invalid('invalid_request', [{ loc: ['body', 'valid_until'], msg, type: 'value_error' }]);
  }
  return { validFrom, validUntil };
}

const precision = Type.Enum([...DATE_PRECISIONS]);

/** When a feature holds. */
export const validityAnswer = {
  valid_from: Type.Optional(
    described(
      Type.String(),
      'Since when it holds; absent where nothing says so: then it counts since it was first said.',
      EXAMPLE_INSTANT,
    ),
  ),
  valid_from_precision: Type.Optional(
    described(
      precision,
      'How exactly `valid_from` is known: it is the first moment of that year, month or day. Absent where `valid_from` is.',
    ),
  ),
  valid_until: Type.Optional(
    described(
      Type.String(),
      'The first moment at which it does not hold any more; absent where nothing says that it ended.',
      EXAMPLE_INSTANT,
    ),
  ),
  valid_until_precision: Type.Optional(
    described(precision, 'How exactly `valid_until` is known. Absent where `valid_until` is.'),
  ),
  superseded_by: Type.Optional(
    Type.String({ description: 'Id of the feature by which it was replaced; absent when it was not.' }),
  ),
};
type ValidityAnswer = Static<TObject<typeof validityAnswer>>;

export const fromValidity = ({ validFrom, validUntil, supersededBy }: Validity = {}): ValidityAnswer => ({
  ...(validFrom && { valid_from: wireInstant(validFrom.at), valid_from_precision: validFrom.precision }),
  ...(validUntil && { valid_until: wireInstant(validUntil.at), valid_until_precision: validUntil.precision }),
  ...(supersededBy !== undefined && { superseded_by: supersededBy }),
});
