import { describe, expect, test } from '@jest/globals';
import { countTokens } from '@loci/platform';
import { processorMicros } from '@loci/testing';
import { type MessagePart, partOf } from './message-part.js';

function partsOf(text: string, maxTokens: number): MessagePart[] {
  const parts: MessagePart[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const part: MessagePart = partOf(text, from, maxTokens);
    parts.push(part);
    from = part.next;
  }
  return parts;
}

const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');

test('what fits is one part, the whole of it', () => {
  expect(partOf('short', 0, 100)).toEqual({ text: 'short', maxTokens: 100, from: 0, to: 5, next: undefined });
});

describe('the parts of a long text', () => {
  const parts = partsOf(words, 1_000);

  test('have it all, in sequence, and overlap', () => {
    expect(parts.length).toBeGreaterThan(10);
    expect(parts[0]?.from).toBe(0);
    expect(parts.at(-1)?.to).toBe(words.length);
    for (const [index, { from, to, text }] of parts.entries()) {
      expect(text).toBe(words.slice(from, to));
      const next = parts[index + 1];
      if (next) expect(next.from).toBeLessThan(to);
      if (next) expect(next.from).toBeGreaterThan(from);
    }
  });

  test('are no longer than asked for, and begin and end between words', () => {
    for (const { text } of parts) {
      expect(countTokens(text)).toBeLessThanOrEqual(1_000);
      expect(text).toMatch(/^word\d+ .* word\d+$/s);
    }
    const wholeWords = new Set(words.split(' '));
    expect(parts.flatMap(({ text }) => text.split(' ')).filter((word) => !wholeWords.has(word))).toEqual([]);
  });
});

test.each([
  ['without spaces', 'x'.repeat(30_000)],
  ['of characters outside the basic plane', '😀'.repeat(5_000)],
])('a text %s comes to its end, too, and no character is torn', (_, text) => {
  const parts = partsOf(text, 200);
  expect(parts.at(-1)?.to).toBe(text.length);
  for (const { text: part } of parts) {
    expect(part).not.toMatch(/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/);
  }
});

test.each(['a ', 'ab '])('many times %j before as much of nothing is cut in a moment', async (dense) => {
  const text = dense.repeat(8_001).padEnd(200_000);
  let part = '';
  const cut = (): void => void (part = partOf(text, 0, 8_000).text);
  expect(await processorMicros(cut)).toBeLessThan(2_000_000);
  expect(countTokens(part)).toBeLessThanOrEqual(8_000);
  expect(countTokens(part)).toBeGreaterThan(7_500);
});
