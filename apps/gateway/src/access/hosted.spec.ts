import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  addEpisodes,
  checkHealth,
  countEpisodes,
  deleteProject,
  listEpisodes,
  listFeatures,
  listProjects,
  searchEpisodes,
  searchFeatures,
} from '@loci/contracts';
import { ROUTE_ROWS } from '../../test/route-rows.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ORG = { authorization: 'Bearer org-token-0123456789abcdef' };
const PROJECT = { authorization: 'bearer project-token-0123456789abcdef' };
const OTHER = { org_id: 'victim', project_id: 'secrets' };

/** Below either prefix. */
const REPLACING = [
  '/projects/delete',
  '/memories/episodic/delete',
  '/memories/semantic/delete',
  '/memories/semantic/feature/update',
  '/memories/semantic/feature/undo',
  '/memories/semantic/changes/undo',
  '/memories/semantic/conflict/settle',
  '/memories/semantic/proposal/accept',
  '/memories/semantic/proposal/reject',
  '/memories/semantic/set_type/delete',
  '/memories/semantic/set/configure',
  '/memories/semantic/category/disable',
  '/memories/semantic/category/update',
  '/memories/semantic/category/delete',
  '/memories/semantic/category/tag/delete',
];

let gateway: TestGateway;
let keys: TestKeys;

beforeAll(async () => {
  gateway = await startTestGateway({
    HOSTED_TOKENS: 'org-token-0123456789abcdef=acme,project-token-0123456789abcdef=acme/apollo',
  });
});

beforeEach(() => {
  keys = new TestKeys();
  keys.serve(gateway);
  void gateway.rpc
    .on(listFeatures, () => ({ features: [], total: 0 }))
    .on(searchFeatures, () => ({ features: [], degraded: [] }));
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

describe('401: without a token that is known, no hosted route does anything', () => {
  test.each([
    'memories',
    'memories/search',
    'memories/list',
    'memories/episodic/delete',
    'projects',
    'projects/get',
    'projects/list',
    'projects/delete',
    'projects/episode_count/get',
  ])('/v2/%s', async (path) => {
    for (const headers of [
      {},
      { authorization: 'Bearer nobody' },
      { authorization: 'org-token-0123456789abcdef' },
    ]) {
      const answer = await post(gateway, `/v2/${path}`, OTHER, headers);
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { code: 'unauthenticated' },
      });
      expect(answer.headers['x-request-id']).toBeDefined();
    }
  });

  test('comes before anything that is wrong with the body', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await gateway.app.inject({ method: 'POST', url: '/v2/memories', headers, payload: '{' });
    expect(answer.statusCode).toBe(401);
  });
});

describe('organization and project are those of the token', () => {
  test.each([
    ['bound to a project, another one in the body', PROJECT, OTHER, 'apollo'],
    ['bound to a project, none in the body', PROJECT, {}, 'apollo'],
    ['bound to a project, nonsense in the body', PROJECT, { org_id: 5, project_id: 'a b' }, 'apollo'],
    ['of an organization, a project in the body', ORG, { org_id: 'victim', project_id: 'zeus' }, 'zeus'],
    ['of an organization, none in the body', ORG, {}, 'universal'],
    ['of an organization, an empty one in the body', ORG, { project_id: '' }, 'universal'],
  ])('a token %s', async (_, token, ids, projectId) => {
    gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] })).on(countEpisodes, () => ({ count: 0 }));
    expect(
      await post(gateway, '/v2/memories', { ...ids, messages: [{ content: 'x' }] }, token),
    ).toMatchObject({
      status: 200,
    });
    expect(await post(gateway, '/v2/projects/episode_count/get', ids, token)).toMatchObject({
      status: 200,
    });
    const tenant = { orgId: 'acme', projectId };
    expect(gateway.rpc.requests(addEpisodes)).toMatchObject([{ tenant }]);
    expect(gateway.rpc.requests(countEpisodes)).toMatchObject([{ tenant }]);
  });

  test('a key of an administrator deletes the project of its own that the body names', async () => {
    gateway.rpc.on(deleteProject, () => ({}));
    const admin = bearer(keys.add({ scopes: ['admin'], bounds: { orgId: 'acme' } }));
    for (const ids of [{ project_id: 'zeus' }, { org_id: 'acme', project_id: 'zeus' }])
      expect(await post(gateway, '/v2/projects/delete', ids, admin)).toMatchObject({ status: 204 });
    const request = { tenant: { orgId: 'acme', projectId: 'zeus' } };
    expect(gateway.rpc.requests(deleteProject)).toMatchObject([request, request]);
  });

  test('422: a project in the body that is none', async () => {
    expect(await post(gateway, '/v2/projects/get', { project_id: 'a b' }, ORG)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'project_id'], type: 'string_pattern_mismatch' }] },
    });
  });

  test('422: no body at all', async () => {
    expect(await post(gateway, '/v2/projects/get', undefined, ORG)).toMatchObject({ status: 422 });
  });

  test('a list of projects has the one of the token only', async () => {
    gateway.rpc.on(listProjects, () => ({ projects: [] }));
    await post(gateway, '/v2/projects/list', undefined, PROJECT);
    expect(gateway.rpc.requests(listProjects)).toEqual([{ orgId: 'acme', projectId: 'apollo' }]);
  });
});

describe('404: what deletes or replaces does so only in the project that its body names', () => {
  const rows = ROUTE_ROWS.filter(({ url }) => REPLACING.some((path) => url === `/v2${path}`));

  test('these routes are all that there are', () => {
    const declared = gateway.app
      .getHttpAdapter()
      .getInstance()
      .accessTable.filter(({ url, replaces }) => replaces && url.startsWith('/v2/'));
    expect(declared.map(({ url }) => url).sort()).toEqual(REPLACING.map((path) => `/v2${path}`).sort());
    expect(rows).toHaveLength(REPLACING.length);
  });

  test.each(rows)('$url', async ({ url, body }) => {
    const ofProject = bearer(
      keys.add({ scopes: ['admin'], bounds: { orgId: 'acme', projectId: 'precious' } }),
    );
    const ofOrganization = bearer(keys.add({ scopes: ['admin'], bounds: { orgId: 'acme' } }));
    const fields = typeof body === 'object' ? body : {};
    for (const [key, ids] of [
      [ofProject, { project_id: 'scratch' }],
      [ofProject, { project_id: 5 }],
      [ofProject, { org_id: 'acme', project_id: 'Precious' }],
      [ofProject, { org_id: 'other', project_id: 'precious' }],
      [ofProject, { org_id: 'other' }],
      [ofOrganization, { org_id: 'other', project_id: 'precious' }],
      [ofOrganization, { org_id: ['acme'] }],
      [ofProject, { projectId: 'scratch' }],
      [ofProject, { project_id: 'precious', 'Project-Id': 'scratch' }],
      [ofProject, { proj_id: 'scratch' }],
      [ofOrganization, { orgId: 'other', project_id: 'precious' }],
      [ofOrganization, { projectId: 'precious' }],
    ] as const) {
      const answer = await post(gateway, url, { ...fields, ...ids }, key);
      expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
    }
    const named = await post(gateway, `${url}?project_id=scratch`, fields, ofProject);
    expect(named).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
  });
});

test('list shows episodes only, unless it is asked for something else', async () => {
  gateway.rpc.on(listEpisodes, () => ({ episodes: [], total: 0 }));
  const { body } = await post(gateway, '/v2/memories/list', {}, ORG);
  expect(body).toEqual({ status: 0, content: { episodic_memory: [] } });
  const semantic = await post(gateway, '/v2/memories/list', { type: 'semantic' }, ORG);
  expect(semantic.body).toEqual({ status: 0, content: { semantic_memory: [] } });
});

test('search and count work as under the other prefix', async () => {
  gateway.rpc
    .on(searchEpisodes, () => ({ enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] }))
    .on(countEpisodes, () => ({ count: 1 }));
  expect(await post(gateway, '/v2/memories/search', { query: 'x' }, ORG)).toMatchObject({
    status: 200,
    body: { content: { episodic_memory: expect.anything(), semantic_memory: [] } },
  });
  expect(await post(gateway, '/v2/projects/episode_count/get', {}, ORG)).toMatchObject({
    body: { count: 1 },
  });
});

test('health and metrics need no token, and the other prefix takes no notice of one', async () => {
  const well = () => ({ ready: true, failing: [] });
  gateway.rpc
    .on(checkHealth('config'), well)
    .on(checkHealth('semantic'), () => ({ ready: true, failing: [] }))
    .on(checkHealth('episodic'), well)
    .on(listProjects, () => ({ projects: [] }));
  expect((await gateway.app.inject('/v2/health')).statusCode).toBe(200);
  expect((await gateway.app.inject('/v2/metrics')).statusCode).toBe(200);
  await post(gateway, '/api/v2/projects/list', {}, ORG);
  expect(gateway.rpc.requests(listProjects)).toEqual([{}]);
});

test('a token is never logged', () => {
  expect(JSON.stringify(gateway.logger.lines)).not.toMatch(/org-token|project-token|nobody/);
});
