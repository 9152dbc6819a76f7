import { IDENTIFIER, IDENTIFIER_MAX_LENGTH } from '@loci/contracts';
import { type JsonSchema } from './json-schema.js';
import { type Place, type Reader, reader, REFUSED } from './place.js';
import { type Limit } from './wire-limits.js';

const MAX_SHOWN_CHARS = 64;

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** What `isStorable` takes, for schemas; their patterns know no word for half of a surrogate pair. */
const STORABLE = '^[^\\u0000]*$';

/** A text of at most `max` characters that can be stored: without NUL and without half of a surrogate pair. */
export const text = (max: Limit): Reader<string> =>
  reader(
    ({ limit }) => ({ type: 'string', maxLength: limit(max), pattern: STORABLE }),
    (value, place) => {
      if (typeof value !== 'string') return place.refuse('string_type', 'Input should be a valid string');
      return isStorable(value, place) && fits(value, place.limit(max), place) ? value : REFUSED;
    },
  );

const idText = text(IDENTIFIER_MAX_LENGTH);

const describeIdentifier = (): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: IDENTIFIER_MAX_LENGTH,
  pattern: IDENTIFIER.source,
});

/** An organization or project id (api-contract §3). */
export const identifier: Reader<string> = reader(describeIdentifier, (value, place) => {
  const read = idText(value, place);
  if (read === REFUSED || IDENTIFIER.test(read)) return read;
  const shown = JSON.stringify([...read].slice(0, MAX_SHOWN_CHARS).join(''));
  const rule = 'letters, numbers, "_", ":" and "-" only, at least one';
  return place.refuse(
    'string_pattern_mismatch',
    `String should match pattern '${IDENTIFIER.source}' (${rule}), got ${shown}`,
  );
});

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const uuid: Reader<string> = reader(
  () => ({ type: 'string', format: 'uuid' }),
  (value, place) =>
    typeof value === 'string' && UUID.test(value)
      ? value
      : place.refuse('uuid_parsing', 'Input should be a valid UUID'),
);

/** A text with at least one character. */
export function filledText(max: Limit): Reader<string> {
  const any = text(max);
  return reader(
    (context) => ({ ...any.describe(context), minLength: 1 }),
    (value, place) => {
      const read = any(value, place);
      return read === '' ? place.refuse('string_too_short', 'String should have at least 1 character') : read;
    },
  );
}

export function isStorable(value: string, place: Place): boolean {
  if (!UNPAIRED_SURROGATE.test(value) && !value.includes('\0')) return true;
  place.refuse('string_unicode', 'String should have no NUL character and no unpaired surrogate');
  return false;
}

export function fits(value: string, max: number, place: Place): boolean {
  // a string is never shorter in UTF-16 units than in characters: counting is for the doubtful ones
  if (value.length <= max || (value.length <= 2 * max && [...value].length <= max)) return true;
  place.refuse(
    'string_too_long',
    `String should have at most ${max} ${max === 1 ? 'character' : 'characters'}`,
  );
  return false;
}
