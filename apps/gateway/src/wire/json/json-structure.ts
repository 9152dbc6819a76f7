const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

export interface StructureLimits {
  readonly maxDepth: number;
  /** Objects and lists altogether. */
  readonly maxContainers: number;
  /** Of all objects altogether. */
  readonly maxFields: number;
  /** Fields of all objects and items of all lists, but for the first of each. */
  readonly maxFurther: number;
  /** Fields, in UTF-8, that no object may name twice: one reader takes the first, another the last. At most 31. */
  readonly once: readonly Uint8Array[];
}

/** Where JSON is refused. */
export interface StructureFault {
  /** In bytes. */
  readonly offset: number;
  readonly limit: keyof StructureLimits;
}

/**
 * Finds what JSON must not have, before anything is built from it: three bytes make an object, which then takes more than
 * twenty times that memory.
 * @param bytes UTF-8, valid JSON or not
 */
export function findExcessiveStructure(
  bytes: Uint8Array,
  { maxDepth, maxContainers, maxFields, maxFurther, once }: StructureLimits,
): StructureFault | undefined {
  /** Of each open object, as bits: which of the fields it has named. */
  const named = new Int32Array(maxDepth + 1);
  let depth = 0;
  let containers = 0;
  let fields = 0;
  let further = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (byte === QUOTE) {
      const start = offset + 1;
      offset = endOfText(bytes, start);
      const bit = fieldAt(once, bytes, start, offset);
      const before = named[depth] ?? 0;
      if ((before & bit) !== 0) return { offset: start - 1, limit: 'once' };
      named[depth] = before | bit;
    } else if (OPENING.has(byte)) {
      depth += 1;
      containers += 1;
      if (depth > maxDepth) return { offset, limit: 'maxDepth' };
      if (containers > maxContainers) return { offset, limit: 'maxContainers' };
      named[depth] = 0;
    } else if (CLOSING.has(byte)) depth -= 1;
    else if (byte === COLON) {
      fields += 1;
      if (fields > maxFields) return { offset, limit: 'maxFields' };
    } else if (byte === COMMA) {
      further += 1;
      if (further > maxFurther) return { offset, limit: 'maxFurther' };
    }
  }
  return undefined;
}

/** @returns the offset of the quote that ends a text, or of the end of everything */
function endOfText(bytes: Uint8Array, start: number): number {
  let offset = start;
  for (; offset < bytes.length; offset += 1) {
    const byte = bytes[offset];
    if (byte === BACKSLASH) offset += 1;
    else if (byte === QUOTE) break;
  }
  return offset;
}

/** As `\u0070`. */
const ESCAPED_LENGTH = 6;

/** Which of these fields a text names, as a bit; 0 = none of them. */
function fieldAt(fields: readonly Uint8Array[], bytes: Uint8Array, start: number, end: number): number {
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    if (field && isText(field, bytes, start, end)) return isKey(bytes, end) ? 1 << index : 0;
  }
  return 0;
}

/** Whether the text between two quotes says the same as one without escapes. */
function isText(text: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < text.length || end - start > text.length * ESCAPED_LENGTH) return false;
  for (let index = 0; index < text.length; index += 1) {
    const byte = bytes[start + index];
    if (byte === BACKSLASH) return unescaped(bytes.subarray(start, end)) === DECODER.decode(text);
    if (byte !== text[index]) return false;
  }
  return end - start === text.length;
}

const DECODER = new TextDecoder();

function isKey(bytes: Uint8Array, end: number): boolean {
  let next = end + 1;
  while (SPACES.has(bytes[next] ?? 0)) next += 1;
  return bytes[next] === COLON;
}

function unescaped(text: Uint8Array): string | undefined {
  try {
    return JSON.parse(`"${DECODER.decode(text)}"`) as string;
  } catch {
    return undefined;
  }
}
