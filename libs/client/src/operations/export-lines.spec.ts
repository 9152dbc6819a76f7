import { beforeEach, expect, test } from '@jest/globals';
import { type Waiting } from '../transport/pause.js';
import { exportedLines, type ExportLine } from './export-lines.js';

const HEADER: ExportLine = { kind: 'project' };
const HEADER_BYTES = `${JSON.stringify(HEADER)}\n`.length;
const LINES: ExportLine[] = [
  HEADER,
  { kind: 'episode', cursor: '1', content: 'Grüße 木' },
  { kind: 'episode', cursor: '2', content: 'Tschüß' },
  { kind: 'end' },
];

let waits: number[];
beforeEach(() => {
  waits = [];
});

/** Does not wait, but notes for how long. */
const WAITING: Waiting = {
  pause: (ms) => {
    waits.push(ms);
    return Promise.resolve();
  },
  random: () => 1,
};

const exported = (open: Parameters<typeof exportedLines>[0]): AsyncGenerator<ExportLine, void> =>
  exportedLines(open, undefined, WAITING);

/** As the server writes them. */
const behind = (after: string | undefined): ExportLine[] => [HEADER, ...LINES.slice(1 + Number(after ?? 0))];

/** In pieces of three bytes, up to `bytes`, then it fails or ends. */
function stream(lines: readonly ExportLine[], bytes = Infinity, fails = true): ReadableStream<Uint8Array> {
  const all = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < Math.min(all.length, bytes)) controller.enqueue(all.slice(at, (at = Math.min(at + 3, bytes))));
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
  expect(await collect(exported(() => Promise.resolve(stream(LINES))))).toEqual(LINES);
});

test.each([true, false])('one that breaks off (failing: %p) goes on behind the last line', async (fails) => {
  const asked: (string | undefined)[] = [];
  const open = (after: string | undefined): Promise<ReadableStream<Uint8Array>> => {
    asked.push(after);
    return Promise.resolve(stream(behind(after), asked.length === 1 ? 90 : Infinity, fails));
  };
  expect(await collect(exported(open))).toEqual(LINES);
  expect([asked, waits]).toEqual([[undefined, '1'], [250]]);
});

test('one that breaks off behind each line gets on, and waits as after a first failure', async () => {
  const open = (after: string | undefined): Promise<ReadableStream<Uint8Array>> => {
    return Promise.resolve(stream(behind(after).slice(0, 2)));
  };
  expect(await collect(exported(open))).toEqual(LINES);
  expect(waits).toEqual([250, 250]);
});

test.each([
  ['with an error', 3, true, 'terminated'],
  ['behind the line of the project, which each attempt begins with', HEADER_BYTES, true, 'terminated'],
  ['there, without an error', HEADER_BYTES, false, 'same line'],
])('one that always breaks off %s is an error', async (_, bytes, fails, message) => {
  const given: ExportLine[] = [];
  const reading = async (): Promise<void> => {
    for await (const line of exported(() => Promise.resolve(stream(LINES, bytes, fails)))) given.push(line);
  };
  await expect(reading()).rejects.toThrow(message);
  expect(given).toEqual(bytes > 3 ? [HEADER] : []);
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000]);
});

test('its pauses end with the signal', async () => {
  const controller = new AbortController();
  const open = (): Promise<ReadableStream<Uint8Array>> => {
    controller.abort(new Error('enough'));
    return Promise.resolve(stream(LINES, 3));
  };
  await expect(collect(exportedLines(open, controller.signal))).rejects.toThrow('enough');
});
