import { mapOf, type TextMapLimits } from './collections.js';
import { orNull } from './json-schema.js';
import { type Reader, reader, REFUSED } from './place.js';
import { text } from './text.js';
import { type Limit } from './wire-limits.js';

/** Any JSON value as a text: texts as they are, null as nothing, all else as JSON writes it. */
function jsonText(maxChars: Limit): Reader<string | undefined> {
  const any = text(maxChars);
  return reader(
    (context) => orNull(any.describe(context)),
    (value, place) => {
      if (value === null) return undefined;
      return any(typeof value === 'string' ? value : JSON.stringify(value), place);
    },
  );
}

/** A map of any JSON values, each turned into a text; null is as good as no value. */
export function jsonTexts({
  maxChars,
  ...limits
}: TextMapLimits & { maxChars: Limit }): Reader<Readonly<Record<string, string>>> {
  const map = mapOf(jsonText(maxChars), limits);
  return reader(map.describe, (value, place) => {
    const read = map(value, place);
    if (read === REFUSED) return REFUSED;
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  });
}

/** What chooses sets: metadata as an episode would have it. */
export const setMetadata = jsonTexts({
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
});
