/** What would end a quotation in a prompt, look like a citation marker, or break a line though JSON leaves it alone. */
const MISLEADING = /<|\[(?=\d+\])|[\u0085\u2028\u2029]/g;

/**
 * Stored text as a JSON string on one line: it can neither begin a line of its own, nor hold a citation marker or a
 * tag. Escapes read as the same characters.
 */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    MISLEADING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
