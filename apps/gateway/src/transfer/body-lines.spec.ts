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
