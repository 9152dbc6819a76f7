import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonStructure } from './json-structure.js';

function excessOf(text: string, chunkBytes = 7): string | undefined {
  const bytes = Buffer.from(text);
  const structure = new JsonStructure();
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const excess = structure.excessIn(bytes.subarray(start, start + chunkBytes));
    if (excess !== undefined) return excess;
  }
  return undefined;
}

describe('the structure of JSON', () => {
  test('may be whatever fits, wherever its chunks end', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 9 }), (text, chunkBytes) => {
        expect(excessOf(text, chunkBytes)).toBeUndefined();
      }),
    );
  });

  test('does not count what texts have inside', () => {
    expect(
      excessOf(JSON.stringify({ text: '[{:'.repeat(200_000), quoted: '"[\\"['.repeat(1_000) })),
    ).toBeUndefined();
  });

  test('has a depth: lists one after the other are not deep', () => {
    expect(excessOf(`[${'[],'.repeat(1_000)}[]]`)).toBeUndefined();
    expect(excessOf(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeUndefined();
    expect(excessOf('['.repeat(65))).toBe('is nested deeper than 64 levels');
  });
});
