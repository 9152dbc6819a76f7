import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listProjects } from '@loci/contracts';
import { RequestContext, type RequestScope } from '@loci/platform';
import { eventually } from '@loci/testing';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  gateway = await startTestGateway(settings);
};

afterEach(() => gateway.app.close());

const LIST = { method: 'POST', url: '/api/v2/projects/list' } as const;

const listen = async (): Promise<URL> => {
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  return new URL(await gateway.app.getUrl());
};

/** Answers a list of projects when it is told to, and tells when it was asked. */
function stalledList(): { asked: Promise<void>; answer: () => void } {
  const asked = new Signal();
  const released = new Signal();
  gateway.rpc.on(listProjects, async () => {
    asked.give();
    await released.given;
    return { projects: [] };
  });
  return { asked: asked.given, answer: released.give };
}

class Signal {
  give: () => void = () => undefined;
  readonly given = new Promise<void>((resolve) => {
    this.give = resolve;
  });
}

describe('the scope of a request', () => {
  beforeEach(() => start({ REQUEST_TIMEOUT_MS: '5000' }));

  async function scopeOf(headers: Readonly<Record<string, string>>): Promise<RequestScope | undefined> {
    let scope: RequestScope | undefined;
    gateway.rpc.on(listProjects, () => {
      scope = RequestContext.current();
      return { projects: [] };
    });
    await gateway.app.inject({
      ...LIST,
      headers: { 'content-type': 'application/json', ...headers },
      payload: '{}',
    });
    return scope;
  }

  test('carries the id that the client chose, and the deadline', async () => {
    const before = Date.now();
    const scope = await scopeOf({ 'x-request-id': 'my.id:1-2_3' });
    expect(scope?.requestId).toBe('my.id:1-2_3');
    expect(scope?.deadlineMs).toBeGreaterThanOrEqual(before + 5000);
    expect(scope?.deadlineMs).toBeLessThanOrEqual(Date.now() + 5000);
  });

  test.each(['', 'a b', 'x'.repeat(129), 'é', '{"a":1}'])('does not carry the id %j', async (id) => {
    expect((await scopeOf({ 'x-request-id': id }))?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('carries a trace context that is one', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect((await scopeOf({ traceparent }))?.traceparent).toBe(traceparent);
    expect((await scopeOf({ traceparent: 'nonsense' }))?.traceparent).toBeUndefined();
  });
});

describe('methods', () => {
  beforeEach(() => start());

  test('405 names the methods that the path takes', async () => {
    const answer = await gateway.app.inject({ method: 'DELETE', url: '/metrics?x' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('HEAD answers as GET does, without a body', async () => {
    const answer = await gateway.app.inject({ method: 'HEAD', url: '/health/live' });
    expect(answer).toMatchObject({ statusCode: 200, body: '' });
    expect(answer.headers['content-length']).toBe('18');
  });

  test('OPTIONS tells the methods', async () => {
    const answer = await gateway.app.inject({ method: 'OPTIONS', url: '/api/v2/memories/' });
    expect(answer).toMatchObject({ statusCode: 204, body: '' });
    expect(answer.headers.allow).toBe('POST, OPTIONS');
  });
});

describe('a body that is refused', () => {
  beforeEach(() => start({ MAX_BODY_BYTES: '2048' }));

  // a client that is still sending one that is too large is answered before the connection ends: unread-bodies.spec.ts
  test('422 leaves the connection to the next request', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await gateway.app.inject({
      method: 'POST',
      url: '/api/v2/memories',
      headers,
      payload: '{',
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.headers.connection).not.toBe('close');
  });
});

describe('the log', () => {
  beforeEach(() => start());

  test('has one line for each request, with its outcome and nothing of its content', async () => {
    const body = { org_id: 'a b', messages: [{ content: 'my secret' }] };
    await gateway.app.inject({
      method: 'POST',
      url: '/api/v2/memories',
      payload: body,
      headers: { 'x-request-id': 'r1' },
    });
    const lines = gateway.logger.lines.filter(({ message }) => message === 'request');
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'request',
        fields: {
          request_id: 'r1',
          method: 'POST',
          path: '/api/v2/memories',
          status: 422,
          duration_ms: expect.any(Number),
          client_address: '127.0.0.1',
          code: 'invalid_request',
          request_bytes: JSON.stringify(body).length,
        },
      },
    ]);
    expect(JSON.stringify(gateway.logger.lines)).not.toContain('my secret');
  });

  test('keeps what serves the operator at debug', async () => {
    await gateway.app.inject('/health/live');
    expect(gateway.logger.lines.at(-1)).toMatchObject({ level: 'debug', fields: { path: '/health/live' } });
  });
});

describe('overload', () => {
  test('429 at once while as many requests as allowed are being worked on and none may wait; the operator comes through', async () => {
    await start({ MAX_IN_FLIGHT: '1', MAX_WAITING: '0' });
    const list = stalledList();
    const first = gateway.app.inject(LIST);
    await list.asked;
    const second = await gateway.app.inject(LIST);
    expect(second).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } });
    expect(second.json()).toMatchObject({ code: 'overloaded' });
    expect((await gateway.app.inject('/health/live')).statusCode).toBe(200);
    expect((await gateway.app.inject('/metrics')).body).toMatch(/^http_requests_in_flight\{.*\} 1$/m);
    list.answer();
    expect((await first).statusCode).toBe(200);
    expect((await gateway.app.inject(LIST)).statusCode).toBe(200);
  });
});

describe('on the socket', () => {
  beforeEach(() => start({ RECEIVE_TIMEOUT_MS: '1000' }));

  /** Sends bytes and gives everything that comes back until the server hangs up. */
  async function exchange(bytes: string): Promise<string> {
    const { hostname, port } = await listen();
    const socket = connect(Number(port), hostname);
    const chunks: string[] = [];
    socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    await new Promise((resolve) => socket.write(bytes, resolve));
    await new Promise((resolve) => socket.once('close', resolve));
    return chunks.join('');
  }

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad_request'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'bad_request',
    ],
    ['huge headers', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('%s is answered in our shape', async (_, bytes, status, code) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ detail: expect.any(String), code });
  });

  const HEAD = 'POST /api/v2/memories HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

  test.each([
    ['headers', HEAD],
    ['a body', `${HEAD}content-length: 100\r\n\r\n{"messages":`],
  ])('%s without an end: waited for as long as the setting says', async (_, bytes) => {
    const begunAt = performance.now();
    expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"\}$/s);
    const tookMs = performance.now() - begunAt;
    expect(tookMs).toBeGreaterThan(900);
    expect(tookMs).toBeLessThan(20_000);
    expect(gateway.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a client that hangs up in the middle of its body leaves nothing behind', async () => {
    const { hostname, port } = await listen();
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.write(`${HEAD}content-length: 100\r\n\r\n{"messages":`, resolve));
    socket.destroy();
    const logged = () => gateway.logger.lines.find(({ message }) => message === 'request');
    const { fields } = await eventually(logged, { what: 'the request is logged' });
    expect(fields).toMatchObject({ path: '/api/v2/memories' });
    expect(gateway.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect((await gateway.app.inject('/metrics')).body).toMatch(/^http_requests_in_flight\{.*\} 0$/m);
  });
});

test('an address has so many connections at most', async () => {
  await start({ MAX_CONNECTIONS_PER_ADDRESS: '2' });
  const { hostname, port } = await listen();
  const sockets = Array.from({ length: 3 }, () => connect(Number(port), hostname));
  const closed = sockets.map(
    (socket) => new Promise((resolve) => socket.on('error', resolve).once('close', resolve)),
  );
  await Promise.race(closed);
  await eventually(() => sockets.some(({ closed: is }) => is), { what: 'one is closed' });
  expect(sockets.filter(({ closed: is }) => is)).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  expect((await fetch(new URL('/health/live', await gateway.app.getUrl()))).status).toBe(200);
});

describe('requests that do not wait for the answer to the one before', () => {
  const ask = async (count: number, path = '/docs'): Promise<string> => {
    await start();
    const { hostname, port } = await listen();
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.on('data', (bytes) => (answers += bytes.toString('latin1')));
    const over = new Promise((resolve) => socket.on('error', resolve).once('close', resolve));
    const requests = Array.from({ length: count }, (_, index) =>
      [
        `GET ${path} HTTP/1.1`,
        'host: localhost',
        ...(index + 1 === count ? ['connection: close'] : []),
        '',
        '',
      ].join('\r\n'),
    );
    socket.write(requests.join(''));
    await over;
    return answers;
  };
  const isQuiet = async (): Promise<void> => {
    expect(gateway.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
    const metrics = await fetch(new URL('/metrics', await gateway.app.getUrl()));
    expect(await metrics.text()).toMatch(/^http_requests_in_flight\{.*\} 0$/m);
  };

  test('are answered in their sequence', async () => {
    expect((await ask(16)).match(/HTTP\/1.1 200/g)).toHaveLength(16);
    await isQuiet();
  });

  test('are too many for one connection, which is closed', async () => {
    expect((await ask(200)).match(/HTTP\/1.1 200/g)?.length ?? 0).toBeLessThan(17);
    await isQuiet();
  });

  test('end with the first that is refused before its caller is known', async () => {
    expect((await ask(10, '/nowhere')).match(/HTTP\/1.1 404/g)).toHaveLength(1);
    await isQuiet();
  });
});

test('a shutdown answers what was asked before it, and takes nothing new', async () => {
  await start();
  const url = await listen();
  const list = stalledList();
  const answer = fetch(new URL('/api/v2/projects/list', url), { method: 'POST' });
  await list.asked;
  const closed = gateway.app.close();
  await eventually(() => isRefused(url), { what: 'a new connection is refused' });
  list.answer();
  expect((await answer).status).toBe(200);
  await closed;
});

const isRefused = (url: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.destroy();
      resolve(false);
    }).once('error', () => resolve(true));
  });

describe('expectations', () => {
  beforeEach(() => start());

  test('that HTTP does not know are ignored: the request is answered, and recorded, as any other', async () => {
    const { port } = await listen();
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk))).on('error', reject);
      socket.on('close', () => resolve(received));
      socket.end(
        'GET /api/v2/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: a miracle\r\nConnection: close\r\n\r\n',
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toMatch(/\r\nx-request-id: /);
  });
});
