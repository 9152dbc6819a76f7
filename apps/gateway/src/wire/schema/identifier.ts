import { IDENTIFIER, IDENTIFIER_MAX_LENGTH } from '@loci/contracts';
import { type Fault, ruled, text, withKeywords } from '@loci/platform/schema';

const MAX_SHOWN_CHARS = 64;

const { source: pattern } = IDENTIFIER;

/**
 * What documents say, because many readers of JSON Schema know no `\\p{L}`: of ASCII the same as `IDENTIFIER`, and beyond
 * that any character, of which letters and numbers are taken.
 */
export const PUBLISHED_IDENTIFIER = '^[^\\x00-,./;-@\\[-^`{-\\x7f]+$';

/** An organization or project id (api-contract §3). */
export const identifier = ruled(withKeywords(text(IDENTIFIER_MAX_LENGTH), { pattern }), {
  published: { minLength: 1, pattern: PUBLISHED_IDENTIFIER },
  fault: (value, keyword) => (keyword === 'pattern' ? mismatch(String(value)) : undefined),
});

function mismatch(value: string): Fault {
  const shown = JSON.stringify([...value].slice(0, MAX_SHOWN_CHARS).join(''));
  const rule = 'letters, numbers, "_", ":" and "-" only, at least one';
  const msg = `String should match pattern '${pattern}' (${rule}), got ${shown}`;
  return { type: 'string_pattern_mismatch', msg };
}
