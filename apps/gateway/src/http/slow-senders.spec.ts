import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { fastify, type FastifyInstance } from 'fastify';
import { letGoOfBodies, type LingerLimits } from './unread-bodies.js';

const MAX_BODY_BYTES = 1_024;

let server: FastifyInstance | undefined;
let gateway: TestGateway | undefined;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server?.close();
  await gateway?.app.close();
  [server, gateway] = [undefined, undefined];
});

/** A client that sends the head of a request whose body is refused, and as much of the body as it is told to. */
async function refusedAt(url: string): Promise<{ socket: Socket; received: () => string }> {
  const { hostname, port } = new URL(url);
  // goes on sending although the other side has said that it is done
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).setEncoding('latin1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (text) => (received += String(text))).on('error', () => undefined);
  socket.write(
    ['POST /nowhere HTTP/1.1', 'host: localhost', `content-length: ${1024 ** 3}`, '', ''].join('\r\n'),
  );
  await eventually(() => received.includes('HTTP/1.1 404') || socket.readableEnded, {
    what: 'it is answered or hung up on',
  });
  return { socket, received: () => received };
}

const hungUpOn = (socket: Socket): Promise<boolean> =>
  eventually(() => socket.closed, { what: 'it is hung up on' });

async function startServer(limits: LingerLimits): Promise<string> {
  server = fastify();
  letGoOfBodies(server, MAX_BODY_BYTES, limits);
  return server.listen({ port: 0, host: '127.0.0.1' });
}

async function startGateway(env: Readonly<Record<string, string>>): Promise<string> {
  gateway = await startTestGateway(env);
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  return gateway.app.getUrl();
}

/** Goes on sending, a part at a time, as long as anyone listens. */
const goOnSending = (socket: Socket, part: string): void => {
  const timer = setInterval(() => socket.write(part), 20);
  socket.once('close', () => clearInterval(timer));
};

test('who sends a refused body slowly is hung up on after a time', async () => {
  const { socket, received } = await refusedAt(await startServer({ bytes: 1024 ** 3, ms: 200 }));
  expect(received()).toMatch(/^connection: close/im);
  const begunAt = performance.now();
  goOnSending(socket, 'x');
  await hungUpOn(socket);
  expect(performance.now() - begunAt).toBeLessThan(30_000);
});

test('who sends much of a refused body is hung up on after so many bytes', async () => {
  const { socket } = await refusedAt(await startServer({ bytes: 256 * 1024, ms: 120_000 }));
  goOnSending(socket, 'x'.repeat(64 * 1024));
  await hungUpOn(socket);
});

test('connections whose bodies were refused count as connections of their address', async () => {
  const url = await startGateway({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
  for (let index = 0; index < 3; index += 1) goOnSending((await refusedAt(url)).socket, 'x');
  const fourth = await refusedAt(url);
  expect(fourth.received()).toBe('');
});
