import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => gateway.app.close());

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const REFUSED = new Set([401, 413]);

/** @returns the status that answers a request without a key whose body does not come to its end */
async function held(method: string, path: string, head: string, begun: string): Promise<number> {
  const { hostname, port } = new URL(await gateway.app.getUrl());
  const socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (bytes) => resolve(bytes.toString('latin1'))).once('error', reject);
    socket.once('close', () => resolve(''));
  });
  socket.write([`${method} ${path} HTTP/1.1`, 'host: localhost', head, '', begun].join('\r\n'));
  const status = Number((await answer).split(' ')[1]);
  socket.destroy();
  return status;
}

test.each([
  ['of a told size', 'content-length: 4194303', 'x'.repeat(100_000)],
  ['in chunks', 'transfer-encoding: chunked', `186a0\r\n${'x'.repeat(100_000)}`],
])('no route keeps a body %s of who has no key', async (_, head, begun) => {
  const routes = gateway.app.getHttpAdapter().getInstance().accessTable;
  const taking = routes.filter(({ method }) => WITH_BODY.has(method));
  expect(taking.map(({ method, url }) => `${method} ${url}`)).toContain('DELETE /console/session');
  for (const type of ['application/json', 'text/plain']) {
    for (const { method, url } of taking) {
      const path = url.replace(/:\w+/g, 'x');
      const status = await held(method, path, `${head}\r\ncontent-type: ${type}`, begun);
      expect({ method, path, isRefused: REFUSED.has(status) }).toEqual({ method, path, isRefused: true });
    }
  }
});

test('a request of the console comes without a body, and may say so', async () => {
  const ask = (method: string, head: string) => held(method, '/console/session', head, '');
  expect(await ask('DELETE', 'content-length: 0')).toBe(204);
  expect(await ask('POST', 'content-length: 0')).toBe(401);
});
