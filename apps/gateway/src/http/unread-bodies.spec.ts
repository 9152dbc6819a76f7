import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createProject } from '@loci/contracts';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

afterEach(() => gateway.app.close());

const MAX_BODY_BYTES = 512 * 1024;
const IMPORT = 'POST /api/v2/projects/import?org_id=acme&project_id=p HTTP/1.1';
const LINES = 'content-type: application/x-ndjson';
const PROJECT = '{"kind":"project","format":1}\n';

interface Outcome {
  readonly status: number;
  readonly saysClose: boolean;
  /** Whether the same connection answered once more; else it was closed. */
  readonly answersAgain: boolean;
}

/** Sends a request, all of its body, and, unless it is told to go, another one on the same connection. */
async function sendAndAskAgain(head: readonly string[], body: readonly string[]): Promise<Outcome> {
  gateway = await startTestGateway({ MAX_BODY_BYTES: String(MAX_BODY_BYTES) });
  gateway.rpc.on(createProject, () => Promise.reject(new Error('broken')));
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { hostname, port } = new URL(await gateway.app.getUrl());
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let received = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answers = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if ((received.match(/HTTP\/1\.1 \d/g)?.length ?? 0) >= count) resolve();
      };
      socket.on('data', look);
      look();
    });
  socket.on('data', (text) => (received += String(text))).on('error', () => undefined);
  socket.write([...head, 'host: localhost', '', ''].join('\r\n'));
  const first = answers(1);
  for (const part of body) {
    if (socket.writable && !socket.write(part)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
  }
  await first;
  const saysClose = /^connection: close/im.test(received);
  if (!saysClose) {
    socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await Promise.race([answers(2), closed]);
    socket.destroy();
  }
  await closed;
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { status: statuses[0] ?? 0, saysClose, answersAgain: statuses[1] === 200 };
}

const sized = (parts: readonly string[]): string =>
  `content-length: ${parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)}`;
const chunks = (parts: readonly string[]): string[] => [
  ...parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`),
  '0\r\n\r\n',
];

const usual = [PROJECT, ...Array.from({ length: 4 }, () => `${'x'.repeat(100_000)}\n`)];
const large = [PROJECT, ...Array.from({ length: 100 }, () => `${'x'.repeat(100_000)}\n`)];
const CHUNKED = 'transfer-encoding: chunked';
const KEEPS = { saysClose: false, answersAgain: true };
const CLOSES = { saysClose: true, answersAgain: false };

test.each([
  ['an import that fails', [IMPORT, LINES, sized(usual)], usual, { status: 500, ...KEEPS }],
  ['a large import that fails', [IMPORT, LINES, sized(large)], large, { status: 500, ...CLOSES }],
  [
    'an import of no told size that fails',
    [IMPORT, LINES, CHUNKED],
    chunks(large),
    { status: 500, ...CLOSES },
  ],
  [
    'an import with a line that is none',
    [IMPORT, LINES, sized(usual.slice(1))],
    usual.slice(1),
    { status: 422, ...KEEPS },
  ],
  [
    'lines where none are taken',
    ['POST /api/v2/memories HTTP/1.1', LINES, sized(usual)],
    usual,
    { status: 415, ...KEEPS },
  ],
  [
    'a body that is too large',
    ['POST /api/v2/memories HTTP/1.1', 'content-type: application/json', sized(large)],
    large,
    { status: 413, ...CLOSES },
  ],
  [
    'a body of no told size that is too large',
    ['POST /api/v2/memories HTTP/1.1', 'content-type: application/json', CHUNKED],
    chunks(large),
    { status: 413, ...CLOSES },
  ],
  [
    'a body for nothing',
    ['POST /nowhere HTTP/1.1', LINES, CHUNKED],
    chunks(large),
    { status: 404, ...CLOSES },
  ],
] as const)(
  '%s leaves the connection usable, or closes it as its answer says',
  async (_, head, body, outcome) => {
    expect(await sendAndAskAgain(head, body)).toEqual(outcome);
  },
);
