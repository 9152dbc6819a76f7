import { createHash } from 'node:crypto';

/**
 * A vector of length 1 that depends on the text alone. Each word adds a direction of its own, so texts that share
 * words are near one another.
 */
export function hashedEmbedding(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['nothing'];
  for (const word of words) {
    const digest = createHash('sha256').update(word).digest();
    for (let offset = 0; offset < 12; offset += 4) {
      const dimension = digest.readUInt32LE(offset) % dimensions;
      vector[dimension] = (vector[dimension] ?? 0) + ((digest[offset + 16] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  if (length > 0) return vector.map((value) => value / length);
  return vector.map((_, dimension) => (dimension === 0 ? 1 : 0));
}

/** The least cosine of two texts by `narrowEmbedding`. */
const NARROW = 0.72;

/** As `hashedEmbedding`, with cosines between 0.72 and 1, as some models give them (gte, e5, text-embedding-ada-002). */
export function narrowEmbedding(text: string, dimensions: number): number[] {
  const own = hashedEmbedding(text, dimensions - 1).map((value) => Math.sqrt(1 - NARROW) * value);
  return [Math.sqrt(NARROW), ...own];
}

/** How much of the query's words a text has, from 0 to 1. */
export function wordOverlap(query: string, text: string): number {
  const asked = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const found = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const shared = [...asked].filter((word) => found.has(word)).length;
  return asked.size === 0 ? 0 : shared / asked.size;
}
