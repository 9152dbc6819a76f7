import { expect, test } from '@jest/globals';
import { type BodyLine, bodyLines } from './body-lines.js';

async function linesOf(chunks: readonly string[], maxBytes = 100): Promise<[number, string][]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  }
  const lines: BodyLine[] = [];
  for await (const line of bodyLines(body(), maxBytes)) lines.push(line);
  return lines.map(({ number, bytes }) => [number, Buffer.from(bytes).toString()]);
}

test('lines keep their numbers, whatever is empty between them', async () => {
  expect(await linesOf(['a\n\n \t\r\n\nb\n', '\n\nc'])).toEqual([
    [1, 'a'],
    [5, 'b'],
    [8, 'c'],
  ]);
});

test('a line may come in any pieces', async () => {
  expect(await linesOf(['ab', 'c', '\n', '\nd', '\n'])).toEqual([
    [1, 'abc'],
    [3, 'd'],
  ]);
});

test('a line that is too long is refused with its number, blank or not', async () => {
  await expect(linesOf(['\n\nabc', 'def'], 5)).rejects.toThrow('Line 3 has more than 5 bytes');
  await expect(linesOf(['\n      '], 5)).rejects.toThrow('Line 2 has more than 5 bytes');
});

test('of a line that comes in pieces, no piece is kept', async () => {
  const text = 'a line\nanother one';
  async function* body(): AsyncGenerator<Uint8Array> {
    const piece = Buffer.alloc(1);
    // what is a view of this one buffer would all be the last character
    for (const char of text) {
      piece.write(char);
      yield await Promise.resolve(piece);
    }
  }
  const lines: string[] = [];
  for await (const { bytes } of bodyLines(body(), 100)) lines.push(Buffer.from(bytes).toString());
  expect(lines).toEqual(text.split('\n'));
});

test('pieces of a line may have any size, up to the whole that is allowed', async () => {
  const pieces = ['a', 'bc', 'def', 'ghijk', 'l'.repeat(80), 'm', 'n'];
  expect(await linesOf([...pieces, ' \n \n', ' \t', '\n', '  o'])).toEqual([
    [1, `${pieces.join('')} `],
    [4, '  o'],
  ]);
  await expect(linesOf([...pieces, 'x'.repeat(20)], 93)).rejects.toThrow('Line 1 has more than 93 bytes');
});
