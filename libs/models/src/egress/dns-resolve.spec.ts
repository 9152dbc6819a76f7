import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { dnsResolve } from './dns-resolve.js';
import { guardedLookup } from './guarded-lookup.js';

const ADDRESS_OF = new Map([
  ['known.test', [93, 184, 215, 14]],
  ['inside.test', [10, 0, 0, 1]],
]);
const A = 1;

let server: Socket;
let asked: string[];

beforeEach(async () => {
  asked = [];
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const answer = answerTo(question);
    if (answer) server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
});

/** Names that begin with `silent` are not answered. */
function answerTo(message: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  const name = labels.join('.');
  const type = message.readUInt16BE(at + 1);
  asked.push(name);
  if (name.startsWith('silent')) return undefined;
  const address = type === A ? ADDRESS_OF.get(name) : undefined;
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0]);
  message.copy(header, 0, 0, 2);
  const record = address ? [0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
  return Buffer.concat([header, message.subarray(12, at + 5), Buffer.from(record)]);
}

const resolve = dnsResolve(() => {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return resolver;
});

/** @returns the addresses, or the code of the error */
const lookUp = (name: string): Promise<unknown> =>
  new Promise((settle) => {
    resolve(name, (error, addresses) => settle(error ? (error as NodeJS.ErrnoException).code : addresses));
  });

test('a name has the addresses that DNS says', async () => {
  expect(await lookUp('known.test')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  expect(await lookUp('nowhere.test')).toBe('ENODATA');
});

test('names that no server answers for keep no other name waiting', async () => {
  const ended: unknown[] = [];
  const silent = Array.from({ length: 64 }, async (_, index) => {
    ended.push(await lookUp(`silent-${index}.test`));
  });
  ended.push(await lookUp('known.test'));
  expect(ended).toEqual([[{ address: '93.184.215.14', family: 4 }]]);
  await Promise.all(silent);
  expect(ended.filter((end) => end === 'ETIMEOUT')).toHaveLength(64);
});

test('what it finds is guarded as any address is', async () => {
  const error: unknown = await new Promise((settle) => {
    guardedLookup({ allowPrivate: false }, resolve)('inside.test', {}, settle);
  });
  expect(error).toMatchObject({ name: 'HostNotFoundError' });
  expect(asked).toContain('inside.test');
});
