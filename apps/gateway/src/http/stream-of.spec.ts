import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { streamOf } from './stream-of.js';

const PART = 'x'.repeat(1_000_000);
const PARTS = 50;

let asked = 0;
let hasReturned = false;

async function* parts(): AsyncGenerator<string> {
  try {
    for (asked = 1; asked <= PARTS; asked += 1) yield await Promise.resolve(asked === 2 ? '' : PART);
  } finally {
    hasReturned = true;
  }
}

test('nothing is asked for while the part before still waits, and all of it arrives', async () => {
  const server = createServer((_request, response) => void streamOf(parts()).pipe(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', agent: false });
  const [connection] = (await once(server, 'connection')) as [{ readonly writableLength: number }];
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  await eventually(() => connection.writableLength > 0, { what: 'the kernel takes no more' });
  const askedThen = asked;
  expect(askedThen).toBeLessThan(PARTS);
  expect(connection.writableLength).toBeLessThan(1.1 * PART.length);
  expect(hasReturned).toBe(false);
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  await once(response, 'end');
  expect(bytes).toBe((PARTS - 1) * PART.length);
  server.close();
});

test('parts are told when no more is asked for, and how they failed', async () => {
  hasReturned = false;
  const left = streamOf(parts());
  left.once('data', () => left.destroy());
  await once(left, 'close');
  expect(hasReturned).toBe(true);
  const broken = streamOf({
    next: () => Promise.reject(new Error('lost')),
    return: () => Promise.reject(new Error('gone')),
  });
  const failed = once(broken, 'error');
  broken.resume();
  expect(await failed).toMatchObject([{ message: 'lost' }]);
});
