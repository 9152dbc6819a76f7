import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Leftovers } from '../../test/fixtures.js';
import { hanging, isSilent, type Question } from './silence.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

/** Long enough for an answer on a busy machine. */
const WITHIN_MS = 1_000;

async function serve(onSocket: (socket: Socket) => void): Promise<{ server: Server; question: Question }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  leftovers.add(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    server,
    question: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, text: 'well?' },
  };
}

test('one that answers, hangs up, or refuses is not silent', async () => {
  const answering = await serve((socket) => socket.end('no'));
  expect(await isSilent(answering.question, 60_000)).toBe(false);
  const closing = await serve((socket) => socket.destroy());
  expect(await isSilent(closing.question, 60_000)).toBe(false);
  closing.server.close();
  expect(await isSilent(closing.question, 60_000)).toBe(false);
});

test('one that only accepts hangs once it was silent so many times in a row', async () => {
  let answers = false;
  const { question } = await serve((socket) => {
    if (answers) socket.end('yes');
  });
  const { is } = hanging(question, { everyMs: 1, answerWithinMs: WITHIN_MS, times: 2 });
  const asked = [await is()];
  answers = true;
  asked.push(await is());
  answers = false;
  asked.push(await is(), await is(), await is());
  expect(asked).toEqual([false, false, false, true, false]);
});
