const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

const utf8 = new TextEncoder();

/**
 * The index of a term in a sparse vector: FNV-1a, 32 bits, over its UTF-8 bytes (draft-eastlake-fnv-21).
 * Two terms of a vocabulary of a million share an index with a chance of 1 in 4,300; scores then add up.
 */
export function termHash(term: string): number {
  let hash = OFFSET_BASIS;
  for (const byte of utf8.encode(term)) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}
