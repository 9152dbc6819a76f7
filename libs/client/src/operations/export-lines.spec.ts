import { expect, test } from '@jest/globals';
import { exportedLines, type ExportLine } from './export-lines.js';

const LINES: ExportLine[] = [
  { kind: 'project', cursor: '1' },
  { kind: 'episode', cursor: '2', content: 'Grüße 木' },
  { kind: 'end' },
];

/** In pieces of three bytes, up to `bytes`, then it fails or ends. */
function stream(lines: readonly ExportLine[], bytes = Infinity, fails = true): ReadableStream<Uint8Array> {
  const all = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < Math.min(all.length, bytes)) controller.enqueue(all.slice(at, (at += 3)));
      else if (at < all.length && fails) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
}

async function collect(lines: AsyncIterable<ExportLine>): Promise<ExportLine[]> {
  const all: ExportLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test('lines come whole, wherever the stream is cut', async () => {
  expect(await collect(exportedLines(() => Promise.resolve(stream(LINES))))).toEqual(LINES);
});

test.each([true, false])('one that breaks off (failing: %p) goes on behind the last line', async (fails) => {
  const asked: (string | undefined)[] = [];
  const open = (after: string | undefined): Promise<ReadableStream<Uint8Array>> => {
    asked.push(after);
    const rest = LINES.slice(after === undefined ? 0 : Number(after));
    return Promise.resolve(stream(rest, asked.length === 1 ? 50 : Infinity, fails));
  };
  expect(await collect(exportedLines(open))).toEqual(LINES);
  expect(asked).toEqual([undefined, '1']);
});

test('one that never gets on is an error', async () => {
  await expect(collect(exportedLines(() => Promise.resolve(stream(LINES, 3))))).rejects.toThrow('terminated');
});
