import { describe, expect, test } from '@jest/globals';
import { movesTo } from './move.js';

const vectors = { state: 'moving', embedder: 'third', active: 'second', target: undefined } as const;

describe('movesTo', () => {
  test('a move that has made no vector yet leads to the embedder that should be used', () => {
    expect(movesTo(vectors)).toBe('third');
  });

  test('vectors that are being made say where the move leads', () => {
    expect(movesTo({ ...vectors, target: 'fourth' })).toBe('fourth');
  });

  test.each([
    { ...vectors, state: 'ready' as const },
    { ...vectors, state: 'indexing' as const },
    { ...vectors, active: 'third' },
  ])('nothing moves: %j', (still) => {
    expect(movesTo(still)).toBeUndefined();
  });
});
