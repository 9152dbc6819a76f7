const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Finds where JSON is nested deeper than allowed, before anything is built from it.
 * @param bytes UTF-8, valid JSON or not
 * @returns the offset in bytes, undefined when it is flat enough
 */
export function findExcessiveNesting(bytes: Uint8Array, maxDepth: number): number | undefined {
  let depth = 0;
  let isInText = false;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) offset += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > maxDepth) return offset;
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return undefined;
}
