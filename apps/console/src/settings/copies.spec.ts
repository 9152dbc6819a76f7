import { expect, test } from '@jest/globals';
import { fileOf, linesOf } from './copies.js';

async function read(text: string): Promise<{ lines: object[]; bytes: number[] }> {
  const lines: object[] = [];
  const bytes: number[] = [];
  for await (const line of linesOf(new Blob([text]), (count) => bytes.push(count))) lines.push(line);
  return { lines, bytes };
}

test('a file of an export is what was exported, in as many parts as it takes', async () => {
  const lines = Array.from({ length: 9 }, (_, n) => ({ kind: 'episode', content: `${n}`.repeat(1_000_000) }));
  const counts: number[] = [];
  const file = await fileOf(lines, (count) => counts.push(count));
  expect((await read(await file.text())).lines).toEqual(lines);
  expect(counts).toEqual([4, 8]);
});

test('a file is read line by line, whether its last line ends or not', async () => {
  const [first, last] = [{ kind: 'project' }, { kind: 'end', episodes: 0 }];
  const text = `${JSON.stringify(first)}\r\n\n${JSON.stringify(last)}`;
  expect((await read(text)).lines).toEqual([first, last]);
  expect((await read(`${text}\n`)).lines).toEqual([first, last]);
  expect((await read('')).lines).toEqual([]);
});

test('letters that a read divides stay whole, and it is told how far it is', async () => {
  const line = { kind: 'episode', content: 'ü'.repeat(200_000) };
  const { lines, bytes } = await read(`${JSON.stringify(line)}\n`);
  expect(lines).toEqual([line]);
  expect(bytes.at(-1)).toBe(new Blob([JSON.stringify(line)]).size + 1);
});

test.each(['no JSON', '{"kind":7}', '{}', 'null', '[1]'])(
  'what is no line is refused by its number: %s',
  async (text) => {
    await expect(read(`{"kind":"project"}\n${text}\n`)).rejects.toThrow('Line 2');
  },
);
