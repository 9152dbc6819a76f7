import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type AccessScope,
  ACCESS_SCOPES,
  allows,
  getApiKeyTagKey,
  newApiKeySecret,
  verifyApiKeys,
} from '@loci/contracts';
import { loadEnv } from '@loci/platform';
import { fastify } from 'fastify';
import { ROUTE_ROWS, type RouteRow } from '../../test/route-rows.js';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';
import { GatewayEnv } from '../env.js';
import { guardAccess } from './access-guard.js';
import { FailedCallers } from './failed-callers.js';
import { Sessions } from './sessions.js';
import { TagKey } from './tag-key.js';
import { AnyOf } from './token-verifier.js';

const MINE = { org_id: 'acme', project_id: 'apollo' };
const BOUNDS = { orgId: 'acme', projectId: 'apollo' };
const OTHERS: Record<string, string>[] = [
  { org_id: 'globex', project_id: 'apollo' },
  { org_id: 'acme', project_id: 'zeus' },
  { org_id: 'ACME', project_id: 'apollo' },
  { org_id: 'acme' },
  {},
];

let gateway: TestGateway;
let keys: TestKeys;

beforeAll(async () => {
  gateway = await startTestGateway({ AUTH: 'on', AUTH_FAILURES_PER_MINUTE: '0' });
});

beforeEach(() => {
  keys = new TestKeys();
  keys.serve(gateway);
});

afterEach(() => gateway.rpc.reset());

afterAll(() => gateway.app.close());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly code: unknown;
}

const payloadOf = ({ body, namesTenant }: RouteRow, tenant: object): string | object =>
  typeof body === 'object' && namesTenant !== false ? { ...tenant, ...body } : (body ?? {});

async function call(
  row: RouteRow,
  headers: Record<string, string>,
  tenant: Record<string, string> = MINE,
): Promise<Reply> {
  const path = row.url.replace(':kind', 'embedders').replace(/:(id|name)/, 'x') + (row.query ?? '');
  const answer = await gateway.app.inject({
    method: row.method,
    url: row.isTenantInQuery ? `${path}?${new URLSearchParams(tenant).toString()}` : path,
    headers: { ...row.headers, ...headers },
    ...(row.body !== undefined && { payload: payloadOf(row, tenant) }),
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  const body = answer.body === '' || !isJson ? {} : answer.json<{ code?: unknown }>();
  return { status: answer.statusCode, headers: answer.headers, code: body.code };
}

/** What was asked of services beside whose key it is. */
const asked = (): readonly string[] =>
  gateway.rpc.unexpected.filter(
    (subject) => subject !== verifyApiKeys.subject && subject !== getApiKeyTagKey.subject,
  );

test('the table of these tests has every route that the gateway has', () => {
  const served = gateway.app
    .getHttpAdapter()
    .getInstance()
    .accessTable.filter(({ level, method }) => level !== 'public' && method !== 'HEAD')
    .map(({ method, url, scope }) => `${method} ${url} ${scope}`);
  expect([...new Set(served)].sort()).toEqual(
    ROUTE_ROWS.map(({ method, url, access }) => `${method} ${url} ${access}`).sort(),
  );
});

test('only health, metrics, the API document with its page, the OAuth metadata and the console ask for nothing', () => {
  const open = gateway.app
    .getHttpAdapter()
    .getInstance()
    .accessTable.filter(({ level }) => level === 'public')
    .map(({ url }) => url);
  expect(
    open.every((url) =>
      /\/(health(\/live|\/ready)?|metrics)$|^\/(openapi\.json|(docs|console)(\/.*)?|\.well-known\/oauth-protected-resource\/mcp|)$/.test(
        url,
      ),
    ),
  ).toBe(true);
});

describe.each(ROUTE_ROWS)('$method $url', (row) => {
  const { isDeploymentWide, isOrganizationWide } = row;
  const bounds = isDeploymentWide ? {} : isOrganizationWide ? { orgId: 'acme' } : BOUNDS;

  test.each([
    ['no key', () => ({})],
    ['an unknown key', () => bearer(newApiKeySecret())],
    ['a key with a typo', () => bearer(`${newApiKeySecret().slice(0, -1)}!`)],
    ['another scheme', () => ({ authorization: `Basic ${keys.add({ scopes: ['admin'], bounds })}` })],
  ])('401: %s', async (_, headersOf) => {
    const answer = await call(row, headersOf());
    expect(answer).toMatchObject({
      status: 401,
      code: 'unauthenticated',
      headers: { 'www-authenticate': 'Bearer' },
    });
    expect(asked()).toEqual([]);
  });

  test('401: a key that was revoked, from the moment on in which the gateway hears of it', async () => {
    const secret = keys.add({ scopes: ['admin'], bounds });
    expect((await call(row, bearer(secret))).status).not.toBe(401);
    keys.revoke(secret);
    gateway.events.interrupt();
    expect((await call(row, bearer(secret))).status).toBe(401);
  });

  const needed: readonly AccessScope[] = row.reveals ? [row.access, 'read'] : [row.access];
  const tooSmall = ACCESS_SCOPES.filter((scope) => !needed.every((one) => allows([scope], one)));
  test.each(tooSmall)('403: the scope %s is not enough', async (scope: AccessScope) => {
    const before = asked().length;
    const answer = await call(row, bearer(keys.add({ scopes: [scope], bounds })));
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    expect(asked()).toHaveLength(before);
  });

  test.each([{ scopes: needed }, { scopes: ['admin'] as const }])(
    '$scopes get through',
    async ({ scopes }) => {
      const before = asked().length;
      const answer = await call(row, bearer(keys.add({ scopes, bounds })));
      expect([401, 403, 404]).not.toContain(answer.status);
      if (!row.isAnsweredHere) expect(asked().length).toBeGreaterThan(before);
    },
  );

  if (row.isDeploymentWide) {
    test.each([BOUNDS, { orgId: 'acme' }])('403: a key bound to %j may not', async (own) => {
      const answer = await call(row, bearer(keys.add({ scopes: ['admin'], bounds: own })));
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    });
  }

  if (isOrganizationWide) {
    test('403: a key bound to a project may not', async () => {
      const answer = await call(row, bearer(keys.add({ scopes: ['admin'], bounds: BOUNDS })));
      expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    });
  }

  if (row.namesTenant === false || row.url.startsWith('/v2/')) return;
  test.each(OTHERS)('404 without looking: the tenant %j is not that of the key', async (tenant) => {
    const before = asked().length;
    const answer = await call(row, bearer(keys.add({ scopes: ['admin'], bounds })), tenant);
    expect(answer).toMatchObject({ status: 404, code: 'project_not_found' });
    expect(asked()).toHaveLength(before);
  });
});

test('a foreign project and a missing one get the same answer, byte for byte', async () => {
  const headers = bearer(keys.add({ scopes: ['read'], bounds: { orgId: 'acme' } }));
  const payload = { org_id: 'globex', project_id: 'x' };
  const answer = await gateway.app.inject({ method: 'POST', url: '/api/v2/projects/get', headers, payload });
  expect(answer.json()).toEqual({
    detail:
      'Project globex/x does not exist; see the names in org_id and project_id, or create it with POST /api/v2/projects.',
    code: 'project_not_found',
  });
});

test('a tenant that cannot be read is refused for what it is, never let through', async () => {
  const headers = bearer(keys.add({ scopes: ['read'], bounds: BOUNDS }));
  for (const org_id of [5, null, ['acme'], { a: 1 }, 'a b', "acme' OR '1'='1", 'acme%']) {
    const payload = { query: 'x', org_id, project_id: 'apollo' };
    const answer = await gateway.app.inject({
      method: 'POST',
      url: '/api/v2/memories/search',
      headers,
      payload,
    });
    expect(answer.statusCode).toBe(422);
  }
});

test('403: the hosted form refuses a key of no organization', async () => {
  const headers = bearer(keys.add({ scopes: ['admin'], bounds: {} }));
  const answer = await gateway.app.inject({ method: 'POST', url: '/v2/projects/list', headers });
  expect(answer.statusCode).toBe(403);
});

test('a gateway does not start with a route that says nothing about its callers', () => {
  const server = fastify();
  guardAccess(server, {
    tokens: new AnyOf([]),
    failed: new FailedCallers(0),
    sessions: new Sessions(new TagKey(gateway.rpc), 1),
    isRequired: true,
    limits: loadEnv(GatewayEnv, { NATS_URL: 'x' }),
  });
  const handler = () => 'x';
  expect(() => server.get('/api/v2/forgotten', handler)).toThrow(/GET \/api\/v2\/forgotten does not say/);
  expect(() => server.get('/api/v2/x', { config: { access: 'read' }, handler })).not.toThrow();
});
