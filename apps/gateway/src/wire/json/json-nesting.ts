const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

export interface StructureLimits {
  readonly maxDepth: number;
  /** Objects and lists altogether. */
  readonly maxContainers: number;
}

/**
 * Finds where JSON has more structure than allowed, before anything is built from it: three bytes make an object, which
 * then takes more than twenty times that memory.
 * @param bytes UTF-8, valid JSON or not
 * @returns the offset in bytes, and which limit; undefined when there is no more than allowed
 */
export function findExcessiveStructure(
  bytes: Uint8Array,
  { maxDepth, maxContainers }: StructureLimits,
): { readonly offset: number; readonly limit: keyof StructureLimits } | undefined {
  let depth = 0;
  let containers = 0;
  let isInText = false;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) offset += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (OPENING.has(byte)) {
      depth += 1;
      containers += 1;
      if (depth > maxDepth) return { offset, limit: 'maxDepth' };
      if (containers > maxContainers) return { offset, limit: 'maxContainers' };
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return undefined;
}
