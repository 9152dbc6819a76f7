import { type Place, type Reader, reader, type Refused, REFUSED } from './place.js';
import { fits, isStorable, text } from './text.js';
import { type Limit } from './wire-limits.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list whose items are all read by one reader. */
export const listOf = <T>(
  item: Reader<T>,
  { min = 0, max }: { min?: number; max: Limit },
): Reader<readonly T[]> =>
  reader(
    (context) => ({
      type: 'array',
      items: item.describe(context),
      ...(min > 0 && { minItems: min }),
      maxItems: context.limit(max),
    }),
    (value, place) => {
      if (!Array.isArray(value)) return place.refuse('list_type', 'Input should be a valid list');
      if (value.length < min) {
        return place.refuse(
          'too_short',
          `List should have at least ${items(min)} after validation, not ${value.length}`,
        );
      }
      if (!hasRoom('List', value.length, place.limit(max), place)) return REFUSED;
      const read = value.map((one: unknown, index) => item(one, place.at(index)));
      return read.filter((one): one is Exclude<typeof one, Refused> => one !== REFUSED);
    },
  );

export interface TextMapLimits {
  readonly maxKeys: Limit;
  readonly maxKeyChars: Limit;
}

/** A map from texts to what one reader reads. Keys may be anything that can be stored, `__proto__` included. */
export const mapOf = <T>(
  item: Reader<T>,
  { maxKeys, maxKeyChars }: TextMapLimits,
): Reader<Readonly<Record<string, T>>> =>
  reader(
    (context) => ({
      type: 'object',
      additionalProperties: item.describe(context),
      propertyNames: { maxLength: context.limit(maxKeyChars) },
      maxProperties: context.limit(maxKeys),
    }),
    (value, place) => {
      if (!isJsonObject(value)) return refuseNoMap(place);
      const entries = Object.entries(value);
      if (!hasRoom('Dictionary', entries.length, place.limit(maxKeys), place)) return REFUSED;
      const read = entries.map(([key, one]): [string, T | Refused] => {
        const inner = place.at(key);
        const isKeyValid = isStorable(key, inner) && fits(key, place.limit(maxKeyChars), inner);
        return [key, isKeyValid ? item(one, inner) : REFUSED];
      });
      return Object.fromEntries(read.filter((entry): entry is [string, T] => entry[1] !== REFUSED));
    },
  );

export const textMap = ({
  maxChars,
  ...limits
}: TextMapLimits & { maxChars: Limit }): Reader<Readonly<Record<string, string>>> =>
  mapOf(text(maxChars), limits);

/** An object whose content is the client's own business. */
export const freeForm: Reader<JsonObject> = reader(
  () => ({ type: 'object', additionalProperties: true }),
  (value, place) => (isJsonObject(value) ? value : refuseNoMap(place)),
);

/** The same, for content that is stored: every text in it can be. */
export const storableObject: Reader<JsonObject> = reader(freeForm.describe, (value, place) => {
  if (!isJsonObject(value)) return refuseNoMap(place);
  return hasOnlyStorable(value, place) ? value : REFUSED;
});

function hasOnlyStorable(value: unknown, place: Place): boolean {
  if (typeof value === 'string') return isStorable(value, place);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value)
    .map(([key, one]: [string, unknown]) => {
      const inner = place.at(Array.isArray(value) ? Number(key) : key);
      return isStorable(key, inner) && hasOnlyStorable(one, inner);
    })
    .every(Boolean);
}

const refuseNoMap = (place: Place): Refused =>
  place.refuse('dict_type', 'Input should be a valid dictionary');

const items = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`;

function hasRoom(what: string, count: number, max: number, place: Place): boolean {
  if (count <= max) return true;
  place.refuse('too_long', `${what} should have at most ${items(max)} after validation, not ${count}`);
  return false;
}
