import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';
import { SESSION_HEADER, Sessions } from '../access/sessions.js';
import { TagKey } from '../access/tag-key.js';

const HEADER = { [SESSION_HEADER]: '1' };
const BOUNDS = { orgId: 'acme', projectId: 'apollo' };

let gateway: TestGateway;
let keys: TestKeys;
let secret: string;

beforeAll(async () => {
  gateway = await startTestGateway({ AUTH: 'on', AUTH_FAILURES_PER_MINUTE: '0' });
});

beforeEach(() => {
  keys = new TestKeys();
  keys.serve(gateway);
  secret = keys.add({ scopes: ['read'], bounds: BOUNDS, name: 'reader' });
  gateway.events.interrupt();
});

afterAll(() => gateway.app.close());

interface Reply {
  readonly status: number;
  readonly cookie: string;
  readonly body: unknown;
}

type Headers = Readonly<Record<string, string>>;

async function send(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  headers: Headers,
  payload?: object,
): Promise<Reply> {
  const answer = await gateway.app.inject({ method, url, headers, ...(payload && { payload }) });
  return {
    status: answer.statusCode,
    cookie: String(answer.headers['set-cookie'] ?? ''),
    body: answer.body === '' ? undefined : answer.json<unknown>(),
  };
}

const open = (headers: Headers = {}): Promise<Reply> =>
  send('POST', '/console/session', { ...HEADER, ...bearer(secret), ...headers });

const valueOf = ({ cookie }: Reply): string => cookie.split(';', 1)[0] ?? '';

const show = (cookie: string, headers: Headers = HEADER): Promise<Reply> =>
  send('GET', '/console/session', { ...headers, cookie });

/** What a request to the API is answered before any service is asked. */
const search = (cookie: string, tenant: object, headers: Headers = HEADER): Promise<Reply> =>
  send('POST', '/api/v2/memories/search', { ...headers, cookie }, { ...tenant, query: 'x' });

describe('a key is exchanged for a session', () => {
  test('whose cookie no script reads, no other site sends, and which does not show the key', async () => {
    const opened = await open();
    expect(opened).toMatchObject({ status: 200, body: { scopes: ['read'], org_id: 'acme', name: 'reader' } });
    expect(opened.cookie).toMatch(
      /^loci_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect(opened.cookie).not.toContain(secret);
    expect(await show(valueOf(opened))).toMatchObject({ status: 200, body: { authentication: true } });
  });

  test('that says, and has, the end of a key that ends earlier', async () => {
    const endsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000).toISOString();
    secret = keys.add({ scopes: ['read'], bounds: BOUNDS, name: 'short', expiresAt: endsAt });
    const opened = await open();
    expect(opened).toMatchObject({ status: 200, body: { expires_at: endsAt } });
    expect(Number(/Max-Age=(\d+)/.exec(opened.cookie)?.[1])).toBeLessThanOrEqual(60);
    expect(await show(valueOf(opened))).toMatchObject({ body: { expires_at: endsAt } });
  });

  test('over TLS as one that only TLS sets', async () => {
    const { cookie } = await open({ origin: 'https://loci.example.com' });
    expect(cookie).toMatch(/^__Host-loci_session=.*; Secure$/);
  });

  test('behind a proxy that ends TLS and says nothing of it, too, where PUBLIC_URL has https', async () => {
    let given = '';
    const reply = { header: (_: string, value: string) => (given = value) } as unknown as FastifyReply;
    const request = { protocol: 'http', headers: {} } as FastifyRequest;
    const sessions = new Sessions(new TagKey(gateway.rpc), 1, 'https://loci.example.com');
    await sessions.open(request, reply, secret);
    expect(given).toMatch(/^__Host-loci_session=.*; Secure$/);
    sessions.close(request, reply);
    expect(given).toMatch(/^__Host-loci_session=; .*; Secure$/);
  });

  test('and not without a valid one', async () => {
    const answer = await send('POST', '/console/session', { ...HEADER, ...bearer(keys.spent()) });
    expect(answer).toMatchObject({ status: 401, cookie: '', body: { code: 'unauthenticated' } });
    expect(await send('POST', '/console/session', HEADER)).toMatchObject({ status: 401, cookie: '' });
  });
});

describe('a session', () => {
  test('reaches what its key reaches, and no other organization', async () => {
    const cookie = valueOf(await open());
    expect((await search(cookie, { org_id: 'acme', project_id: 'apollo' })).status).toBe(500);
    expect(await search(cookie, { org_id: 'globex', project_id: 'apollo' })).toMatchObject({ status: 404 });
    const add = { org_id: 'acme', project_id: 'apollo', messages: [{ content: 'x' }] };
    expect(await send('POST', '/api/v2/memories', { ...HEADER, cookie }, add)).toMatchObject({ status: 403 });
  });

  test.each([
    ['without the header that other origins cannot send', {}],
    ['from another site', { ...HEADER, 'sec-fetch-site': 'cross-site' }],
    ['from another port of the same host', { ...HEADER, 'sec-fetch-site': 'same-site' }],
    ['from another origin, where the browser says no more', { ...HEADER, origin: 'https://evil.example' }],
    ['from a page of no origin', { ...HEADER, origin: 'null' }],
    ['from another port, where the browser says no more', { ...HEADER, origin: 'http://localhost:1' }],
    ['beside a token that is wrong', { ...HEADER, authorization: 'Bearer nobody' }],
  ])('counts for nothing %s', async (_, headers) => {
    const cookie = valueOf(await open());
    expect(await show(cookie, headers)).toMatchObject({ status: 401 });
    expect(await search(cookie, BOUNDS, headers)).toMatchObject({ status: 401 });
  });

  test.each(['http://localhost:80', 'https://localhost:80'])('counts for its own page %s', async (origin) => {
    const cookie = valueOf(await open({ origin, host: 'localhost:80' }));
    expect(await show(cookie, { ...HEADER, host: 'localhost:80', origin })).toMatchObject({ status: 200 });
  });

  test('counts for the page of PUBLIC_URL, whatever a proxy makes of Host', async () => {
    const own = await startTestGateway({ AUTH: 'on', PUBLIC_URL: 'https://loci.example.com' });
    keys.serve(own);
    const ask = (method: 'GET' | 'POST', headers: Headers) =>
      own.app.inject({ method, url: '/console/session', headers: { ...HEADER, ...headers } });
    const cookie = String((await ask('POST', bearer(secret))).headers['set-cookie']).split(';', 1)[0] ?? '';
    const from = async (origin: string) =>
      (await ask('GET', { cookie, origin, host: 'gateway:8080' })).statusCode;
    expect([await from('https://loci.example.com'), await from('https://evil.example')]).toEqual([200, 401]);
    await own.app.close();
  });

  test('that a neighbouring host has planted counts for nothing over TLS', async () => {
    const origin = 'https://loci.example.com';
    const page = { ...HEADER, host: 'loci.example.com', origin };
    const planted = valueOf(await open());
    expect(await show(planted, page)).toMatchObject({ status: 401 });
    const own = valueOf(await open({ origin }));
    expect(await show(`${planted}; ${own}`, page)).toMatchObject({ status: 200 });
  });

  test('ends with its key', async () => {
    const cookie = valueOf(await open());
    keys.revoke(secret);
    gateway.events.interrupt();
    expect(await show(cookie)).toMatchObject({ status: 401 });
  });

  test('ends after its time', async () => {
    let ended = '';
    const reply = { header: (_: string, value: string) => (ended = value) } as unknown as FastifyReply;
    const request = { protocol: 'http', headers: {} } as FastifyRequest;
    await new Sessions(new TagKey(gateway.rpc), -1).open(request, reply, secret);
    expect(await show(ended.split(';', 1)[0] ?? '')).toMatchObject({ status: 401 });
  });

  test('cannot be made up, changed, or taken from another deployment', async () => {
    const cookie = valueOf(await open());
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const other of [changed, 'loci_session=', 'loci_session=a.b.c.d.e', `loci_session=${secret}`]) {
      expect(await show(other)).toMatchObject({ status: 401 });
    }
  });

  test('is taken from the browser by who signs out', async () => {
    const { status, cookie } = await send('DELETE', '/console/session', HEADER);
    expect(status).toBe(204);
    expect(cookie).toContain('loci_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  });
});

test('a token that no cookie holds is refused with what to do', async () => {
  const reply = { header: () => undefined } as unknown as FastifyReply;
  const request = { protocol: 'http', headers: {} } as FastifyRequest;
  const opening = new Sessions(new TagKey(gateway.rpc), 1).open(request, reply, 'x'.repeat(5000));
  await expect(opening).rejects.toMatchObject({ code: 'invalid_request' });
});

test('without authentication the console is open, and gives no cookie', async () => {
  const unguarded = await startTestGateway();
  const answer = await unguarded.app.inject({ method: 'GET', url: '/console/session' });
  expect(answer.json()).toMatchObject({ authentication: false, kind: 'anyone', scopes: ['admin'] });
  expect(answer.headers).not.toHaveProperty('set-cookie');
  await unguarded.app.close();
});
