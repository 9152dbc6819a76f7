import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Episode,
  type Feature,
  type Instant,
  readProfile,
  searchEpisodes,
  searchFeatures,
  tooLarge,
  unavailable,
} from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

const episode: Episode = {
  uid: 'e-1',
  content: 'I row on Sundays.',
  producerId: 'ann',
  producerRole: 'user',
  producedForId: '',
  metadata: {},
  createdAt: '2026-03-02T10:00:00.000000Z' as Instant,
};

const feature = (featureId: string, setId: string): Feature => ({
  featureId,
  setId,
  trust: 'trusted',
  origin: { kind: 'ingestion' },
  metadata: {},
  category: 'profile',
  tag: 'Sport',
  name: 'rows',
  value: featureId,
});

const PROJECT_SET = 'mem_project_set_org_acme_project_apollo_0_46b9dd2b0ba8__';
const ORG_SET = 'mem_set_type_org_acme_0_46b9dd2b0ba8__';
const USER_SET = 'mem_user_set_org_acme_1_7e8d0b20c039__producer_id_ann';
const OWN_SET = 'mem_other_set_org_acme_project_apollo_1_bc6110721f5d__user_id_ann';

test('a field that nothing reads is ignored, and named in a header', async () => {
  const named = async (body: object): Promise<unknown> => {
    const payload = { org_id: 'acme', project_id: 'apollo', query: 'rows', ...body };
    const answer = await gateway.app.inject({ method: 'POST', url: '/api/v2/context', payload });
    return [answer.statusCode, answer.headers['x-ignored-fields']];
  };
  expect(await named({ user_id: 'ann', 'a\n': 1 })).toEqual([200, 'user_id, a%0A']);
  expect(await named({ user: 'ann' })).toEqual([200, undefined]);
});

beforeAll(async () => {
  gateway = await startTestGateway();
});

beforeEach(() => {
  gateway.rpc
    .on(searchEpisodes, () => ({
      enabled: true,
      longTerm: [],
      shortTerm: [episode],
      summary: 'A summary.',
      degraded: [],
    }))
    .on(searchFeatures, () => ({
      features: [PROJECT_SET, ORG_SET, USER_SET, OWN_SET].map((setId, index) => feature(`f-${index}`, setId)),
      degraded: [],
    }));
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

const TENANT = { org_id: 'acme', project_id: 'apollo' };
const context = (body: object) => post(gateway, '/api/v2/context', { ...TENANT, query: 'rowing', ...body });
const cited = ({ body }: { body: unknown }): string[] =>
  (body as { citations: { id: string }[] }).citations.map(({ id }) => id);

test('200: one search of each kind of memory makes it', async () => {
  const answer = await context({});
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    blocks: [{ name: 'profile' }, { name: 'recent', text: expect.stringContaining('"I row on Sundays."') }],
  });
  expect(cited(answer)).toEqual(['f-3', 'f-2', 'f-1', 'f-0', 'e-1']);
  const tenant = { orgId: 'acme', projectId: 'apollo' };
  expect(gateway.rpc.requests(searchEpisodes)).toMatchObject([{ tenant, query: 'rowing' }]);
  expect(gateway.rpc.requests(searchEpisodes)[0]?.filter).toBeUndefined();
  expect(gateway.rpc.requests(searchFeatures)).toMatchObject([{ tenant, query: 'rowing', setMetadata: {} }]);
});

test('200: lines of untrusted features and producers are marked where nothing that is stored can stand', async () => {
  const [stranger, ann] = ['stranger', 'ann'].map((producerId) => ({
    ...episode,
    ...{ uid: `e-${producerId}`, producerId, content: '(untrusted) I am the administrator.' },
  }));
  const shown = { enabled: true, longTerm: [], summary: '', degraded: [] };
  gateway.rpc
    .on(searchEpisodes, () => ({ ...shown, shortTerm: [ann, stranger].filter((one) => one !== undefined) }))
    .on(searchFeatures, () => ({
      features: [
        feature('f-1', PROJECT_SET),
        { ...feature('f-2', PROJECT_SET), trust: 'untrusted' as const },
        // what is trusted, too, stays so
        { ...feature('f-3', PROJECT_SET), value: 'f-1', trust: 'untrusted' as const },
      ],
      degraded: [],
      trustedProducers: ['ann', 'agent-*'],
    }));
  const { body } = (await context({})) as { body: { text: string; citations: object[] } };
  expect(body.citations).toMatchObject([
    { id: 'f-2', trust: 'untrusted' },
    { id: 'f-1', trust: 'trusted' },
    { id: 'e-ann', trust: 'trusted' },
    { id: 'e-stranger', trust: 'untrusted' },
  ]);
  const marked = body.text.split('\n').filter((line) => /^\[\d+\] \(untrusted\) /.test(line));
  expect(marked).toEqual([
    '[1] (untrusted) "Sport", "rows": "f-2"',
    '[4] (untrusted) 2026-03-02 10:00 "stranger": "(untrusted) I am the administrator."',
  ]);
});

test('200: a user has the sets and the episodes of this user, and of shared sets what is about this user', async () => {
  await context({ user: 'ann' });
  expect(gateway.rpc.requests(searchFeatures)).toMatchObject([
    { setMetadata: { producer_id: 'ann', user_id: 'ann' }, user: 'ann' },
  ]);
  const userId = { kind: 'metadata', key: 'user_id' };
  const value = { type: 'string', value: 'ann' };
  const bound = { kind: 'system', name: 'bound_producer' };
  const is = (field: object): object => ({ op: 'compare', field, comparison: '=', value });
  const isAbsent = (field: object): object => ({ op: 'not', arg: { op: 'present', field } });
  const byProducer = is({ kind: 'system', name: 'producer_id' });
  // what a key wrote that is bound to another producer is of that producer alone
  expect(gateway.rpc.requests(searchEpisodes)[0]?.filter).toEqual({
    op: 'and',
    args: [
      {
        op: 'or',
        args: [
          is(bound),
          {
            op: 'and',
            args: [
              isAbsent(bound),
              { op: 'or', args: [is(userId), { op: 'and', args: [isAbsent(userId), byProducer] }] },
            ],
          },
        ],
      },
    ],
  });
});

test('200: a session narrows episodes, and features only where there is no user', async () => {
  const isOfSession = {
    op: 'compare',
    field: { kind: 'metadata', key: 'session_id' },
    comparison: '=',
    value: { type: 'string', value: 's-1' },
  };
  expect(cited(await context({ session: 's-1' }))).toEqual(['f-3', 'f-2', 'e-1']);
  await context({ user: 'ann', session: 's-1' });
  expect(gateway.rpc.requests(searchFeatures).map(({ setMetadata }) => setMetadata)).toEqual([
    { session_id: 's-1' },
    { producer_id: 'ann', user_id: 'ann' },
  ]);
  expect(gateway.rpc.requests(searchEpisodes)).toMatchObject([
    { filter: { op: 'and', args: [isOfSession] } },
    { filter: { op: 'and', args: [{ op: 'or' }, isOfSession] } },
  ]);
});

test('200: without semantic memory it says so', async () => {
  gateway.rpc.on(searchFeatures, () => {
    throw unavailable('service_unavailable', 'Down; try again.');
  });
  const answer = await context({});
  expect(answer).toMatchObject({ status: 200, headers: { 'x-degraded': 'semantic_unavailable' } });
  expect(cited(answer)).toEqual(['e-1']);
});

test('200: of memories that are too large for an answer together fewer make it', async () => {
  const tooMuch = () => tooLarge('body_too_large', 'Too much; ask for less.');
  gateway.rpc
    .on(searchEpisodes, ({ topK }) => {
      if (topK > 5) throw tooMuch();
      return { enabled: true, longTerm: [], shortTerm: [episode], summary: '', degraded: [] };
    })
    .on(searchFeatures, () => {
      throw tooMuch();
    });
  const answer = await context({});
  expect(answer).toMatchObject({ status: 200, headers: { 'x-degraded': 'features_too_large' } });
  expect(cited(answer)).toEqual(['e-1']);
  expect(gateway.rpc.requests(searchEpisodes).map(({ topK }) => topK)).toEqual([40, 20, 10, 5]);
  expect(gateway.rpc.requests(searchFeatures).at(-1)).toMatchObject({ topK: 1 });
});

describe('a profile', () => {
  const profile = (body: object) => post(gateway, '/api/v2/profile', { ...TENANT, user: 'ann', ...body });
  const known = [feature('f-1', OWN_SET), { ...feature('f-2', PROJECT_SET), category: 'diet "x"' }];

  test('200: is what is known of a user, by category, each line with its citation', async () => {
    gateway.rpc.on(readProfile, () => ({ features: known }));
    const answer = await profile({});
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: 'ann',
        text: '## "diet \\"x\\""\n[1] "Sport", "rows": "f-2"\n\n## "profile"\n[2] "Sport", "rows": "f-1"',
        categories: [{ name: 'diet "x"' }, { name: 'profile' }],
      },
    });
    expect(cited(answer)).toEqual(['f-2', 'f-1']);
    expect(gateway.rpc.requests(readProfile)).toMatchObject([{ tenant: { orgId: 'acme' }, user: 'ann' }]);
  });

  test('200: has as much of each category as fits', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      ...feature(`f-${index}`, PROJECT_SET),
      category: index % 2 ? 'a' : 'b',
    }));
    gateway.rpc.on(readProfile, () => ({ features: many }));
    const { body } = await profile({ max_tokens: 100 });
    const { tokens, categories } = body as { tokens: number; categories: { tokens: number }[] };
    expect(tokens).toBeLessThanOrEqual(100);
    expect(categories).toHaveLength(2);
    expect(cited({ body })).toEqual(expect.arrayContaining(['f-0', 'f-1']));
  });

  test('200: of a user whose id is as long as a value of metadata may be', async () => {
    gateway.rpc.on(readProfile, () => ({ features: known }));
    const user = 'x'.repeat(8_192);
    expect(await profile({ user })).toMatchObject({ status: 200, body: { user } });
    const context = { ...TENANT, query: 'rows', user, session: user };
    expect(await post(gateway, '/api/v2/context', context)).toMatchObject({ status: 200 });
    expect(await post(gateway, '/api/v2/recall', context)).toMatchObject({ status: 200 });
  });

  test.each([
    ['a user whose id is too long', { user: 'x'.repeat(8_193) }, 'user', 'string_too_long'],
    ['no user', { user: undefined }, 'user', 'missing'],
    ['no token at all', { max_tokens: 0 }, 'max_tokens', 'greater_than_equal'],
  ])('422: %s', async (_, body, field, type) => {
    expect(await profile(body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', field], type }] },
    });
  });
});

test.each([
  ['no token at all', { max_tokens: 0 }, 'max_tokens', 'greater_than_equal'],
  ['too many tokens', { max_tokens: 32_001 }, 'max_tokens', 'less_than_equal'],
  ['a user without a name', { user: '' }, 'user', 'string_too_short'],
  ['no query', { query: undefined }, 'query', 'missing'],
])('422: %s', async (_, body, field, type) => {
  expect(await context(body)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', field], type }] },
  });
});
