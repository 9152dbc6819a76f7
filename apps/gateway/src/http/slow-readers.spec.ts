import { type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { Metrics } from '@loci/platform';
import { eventually } from '@loci/testing';
import { fastify, type FastifyInstance } from 'fastify';
import { hangUpOnSlowReaders } from './slow-readers.js';

const MEBIBYTE = 1024 * 1024;
/** More than the buffers of two kernels. */
const ANSWER_BYTES = 24 * MEBIBYTE;
const WITHIN_MS = 300;

let server: FastifyInstance;
let metrics: Metrics;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close();
});

async function serve(bytesPerSecond: number): Promise<number> {
  server = fastify();
  metrics = new Metrics('gateway');
  hangUpOnSlowReaders(server, bytesPerSecond, { withinMs: WITHIN_MS, metrics });
  server.get('/whole', () => 'x'.repeat(ANSWER_BYTES));
  server.get('/pages', () => Readable.from(pages()));
  server.get('/silent', (_request, reply) => {
    const news = new Readable({ read: () => undefined });
    news.push('first\n');
    setTimeout(() => news.push('last\n'), WITHIN_MS * 4);
    return reply.send(news);
  });
  return Number(new URL(await server.listen({ port: 0 })).port);
}

function* pages(): Generator<string> {
  for (let sent = 0; sent < ANSWER_BYTES; sent += MEBIBYTE) yield 'x'.repeat(MEBIBYTE);
}

/** A client that reads nothing unless it is told to. */
function ask(port: number, path: string, headers: IncomingHttpHeaders = {}): Socket {
  const socket = connect(port).on('error', () => undefined);
  sockets.push(socket);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.write([`GET ${path} HTTP/1.1`, 'host: localhost', ...lines, '', ''].join('\r\n'));
  return socket.pause();
}

const every = (ms: number, socket: Socket, act: () => void): void => {
  const timer = setInterval(act, ms);
  socket.once('close', () => clearInterval(timer));
};

const hungUpOn = async (): Promise<string> =>
  (await metrics.render()).match(/^http_slow_readers_total\S* (\d+)/m)?.[1] ?? '';

test.each(['/whole', '/pages'])(
  'who takes %s a byte at a time is hung up on, whatever it sends',
  async (path) => {
    const socket = ask(await serve(1_000), path);
    every(20, socket, () => {
      socket.read(1);
      // the idle timeout of Node hears this, and takes it for life
      socket.write('\r\n');
    });
    await eventually(() => socket.destroyed, { what: 'it is hung up on' });
    expect(await hungUpOn()).toBe('1');
  },
);

test.each(['/whole', '/pages'])('who takes %s slowly, but at the pace, gets all of it', async (path) => {
  const socket = ask(await serve(1_000), path, { connection: 'close' });
  const begunAt = performance.now();
  let received = 0;
  let wanted = 0;
  socket.on('data', ({ length }) => {
    received += length;
    if (received >= wanted) socket.pause();
  });
  every(20, socket, () => {
    wanted = received + MEBIBYTE;
    socket.resume();
  });
  await eventually(() => socket.readableEnded, { what: 'it ends' });
  expect(performance.now() - begunAt).toBeGreaterThan(WITHIN_MS);
  expect(received).toBeGreaterThan(ANSWER_BYTES);
  expect(await hungUpOn()).toBe('0');
});

test('a stream that has nothing to say is left open', async () => {
  const socket = ask(await serve(1_000), '/silent').resume();
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  await eventually(() => received.includes('last'), { what: 'it goes on' });
  expect(await hungUpOn()).toBe('0');
});
