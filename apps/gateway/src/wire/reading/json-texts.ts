import { mapOf, type TextMapLimits } from './collections.js';
import { type Reader, REFUSED } from './place.js';
import { text } from './text.js';
import { type Limit } from './wire-limits.js';

/** Any JSON value as a text: texts as they are, null as nothing, all else as JSON writes it. */
const jsonText =
  (maxChars: Limit): Reader<string | undefined> =>
  (value, place) => {
    if (value === null) return undefined;
    return text(maxChars)(typeof value === 'string' ? value : JSON.stringify(value), place);
  };

/** A map of any JSON values, each turned into a text; null is as good as no value. */
export const jsonTexts =
  ({ maxChars, ...limits }: TextMapLimits & { maxChars: Limit }): Reader<Readonly<Record<string, string>>> =>
  (value, place) => {
    const read = mapOf(jsonText(maxChars), limits)(value, place);
    if (read === REFUSED) return REFUSED;
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  };

/** What chooses sets: metadata as an episode would have it. */
export const setMetadata = jsonTexts({
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
});
