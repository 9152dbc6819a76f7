import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addResource,
  checkHealth,
  getResource,
  instantFromDate,
  invalid,
  listResources,
  removeResource,
  type ResourceDetails,
  retryResource,
  unavailable,
  unknownResource,
  updateMemoryConfiguration,
} from '@loci/contracts';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const BASE = '/api/v2/config';
const SPEC = { name: 'a', provider: 'bm25', config: {} };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, key?: string) {
  const answer = await gateway.app.inject({
    method,
    url: `${BASE}${path}`,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

describe('resources', () => {
  test.each([
    ['ready', undefined, { success: true, status: 'ready', error: null }],
    ['pending', undefined, { success: true, status: 'pending', error: null }],
    ['failed', 'Refused.', { success: false, status: 'failed', error: 'Refused.' }],
  ] as const)('201 add, 200 retry: %s', async (status, error, body) => {
    gateway.rpc.on(addResource, () => ({ status, error })).on(retryResource, () => ({ status, error }));
    expect(await send('POST', '/resources/rerankers', SPEC)).toEqual({ status: 201, body });
    expect(await send('POST', '/resources/rerankers/a/retry')).toEqual({ status: 200, body });
  });

  test.each([
    ['embedders', 'embedder'],
    ['language_models', 'language_model'],
    ['rerankers', 'reranker'],
  ])('any name is reached, percent-encoded, under %s', async (path, kind) => {
    gateway.rpc.on(retryResource, () => ({ status: 'ready' })).on(removeResource, () => ({}));
    for (const name of ['a/b', 'ü 1', '100%', 'x'.repeat(255), '日'.repeat(255)]) {
      const url = `/resources/${path}/${encodeURIComponent(name)}`;
      expect((await send('POST', `${url}/retry`)).status).toBe(200);
      expect((await send('DELETE', `${url}?force=true`)).status).toBe(200);
      expect(gateway.rpc.requests(retryResource).at(-1)).toEqual({ kind, name });
      expect(gateway.rpc.requests(removeResource).at(-1)).toMatchObject({ kind, name, force: true });
    }
  });

  test('one Idempotency-Key for two paths is not one request', async () => {
    gateway.rpc.on(addResource, () => ({ status: 'ready' })).on(removeResource, () => ({}));
    await send('POST', '/resources/rerankers', SPEC, 'k');
    await send('POST', '/resources/embedders', SPEC, 'k');
    await send('POST', '/resources/rerankers', SPEC, 'k');
    const [first, other, again] = gateway.rpc.requests(addResource).map(({ idempotency }) => idempotency);
    expect(again).toEqual(first);
    expect(other?.fingerprint).not.toBe(first?.fingerprint);
    await send('DELETE', '/resources/rerankers/a', undefined, 'k');
    await send('DELETE', '/resources/rerankers/b', undefined, 'k');
    const prints = gateway.rpc.requests(removeResource).map(({ idempotency }) => idempotency?.fingerprint);
    expect(new Set(prints).size).toBe(2);
  });

  test('201: the answer says what uses a model, and which keys of its body and configuration nothing reads', async () => {
    gateway.rpc.on(addResource, () => ({
      status: 'ready' as const,
      users: ['memory'],
      unknownKeys: ['a b'],
    }));
    const { body } = await send('POST', '/resources/language_models', { ...SPEC, colour: 1 });
    expect(body).toMatchObject({ used_by: ['memory'], ignored_fields: ['colour', 'config.a%20b'] });
    expect(gateway.rpc.requests(addResource)[0]).toMatchObject({ mayBeDefault: true });
    await send('POST', '/resources/language_models', { ...SPEC, may_be_default: false });
    expect(gateway.rpc.requests(addResource)[1]).toMatchObject({ mayBeDefault: false });
  });

  test('200: a resource with its history, newest first', async () => {
    gateway.rpc.on(getResource, (): ResourceDetails => ({
      kind: 'reranker',
      name: 'a',
      provider: 'bm25',
      status: 'ready',
      config: {},
      revision: 3,
      isBuiltIn: false,
      users: ['project a/b (reranker)', "Reranker 'whole'", 'a set'],
      uses: [
        { text: 'project a/b (reranker)', tenant: { orgId: 'a', projectId: 'b' } },
        { text: "Reranker 'whole'", resource: { kind: 'reranker', name: 'whole' } },
        { text: 'the memory configuration (a.b)', setting: 'a.b' },
        { text: 'a set' },
      ],
      transitions: [{ at: instantFromDate(new Date(Date.UTC(2026, 0, 1))), to: 'pending', reason: 'Added.' }],
    }));
    expect((await send('GET', '/resources/rerankers/a')).body).toEqual({
      name: 'a',
      provider: 'bm25',
      status: 'ready',
      error: null,
      config: {},
      built_in: false,
      used_by: ['project a/b (reranker)', "Reranker 'whole'", 'a set'],
      uses: [
        { text: 'project a/b (reranker)', project: { org_id: 'a', project_id: 'b' } },
        { text: "Reranker 'whole'", resource: { kind: 'rerankers', name: 'whole' } },
        { text: 'the memory configuration (a.b)', setting: 'a.b' },
        { text: 'a set' },
      ],
      transitions: [{ at: '2026-01-01T00:00:00+00:00', from: null, to: 'pending', reason: 'Added.' }],
    });
  });
});

describe('databases', () => {
  const databases = async (): Promise<unknown> => {
    gateway.rpc.on(listResources, () => ({ resources: [] }));
    return (await send('GET', '/resources')).body['databases'];
  };
  const down = (): never => {
    throw unavailable('service_unavailable', 'Not there.');
  };

  test('are ready while the services that use them say so, failed when one of them does not reach them', async () => {
    gateway.rpc
      .on(checkHealth('config'), () => ({ ready: true, failing: [] }))
      .on(checkHealth('episodic'), () => ({ ready: false, failing: ['qdrant'] }));
    expect(await databases()).toEqual([
      { name: 'postgres', provider: 'postgres', status: 'ready', error: null },
      { name: 'qdrant', provider: 'qdrant', status: 'failed', error: 'It does not answer.' },
      { name: 'nats', provider: 'nats', status: 'ready', error: null },
    ]);
  });

  test('are pending while their state is unknown', async () => {
    gateway.rpc.on(checkHealth('config'), down).on(checkHealth('episodic'), down);
    expect(await databases()).toMatchObject([
      { name: 'postgres', status: 'pending' },
      { name: 'qdrant', status: 'pending' },
      { name: 'nats', status: 'pending' },
    ]);
  });
});

describe('memory', () => {
  test('422: the path of a problem is that of the body that the client sent', async () => {
    const loc = ['body', 'episodic_memory', 'long_term_memory', 'embedder'];
    gateway.rpc.on(updateMemoryConfiguration, () => {
      throw invalid('unknown_resource', [unknownResource('embedder', 'x', loc)]);
    });
    const bodies = {
      '/memory': { episodic_memory: { long_term_memory: { embedder: 'x' } } },
      '/memory/episodic': { long_term_memory: { embedder: 'x' } },
      '/memory/episodic/long_term': { embedder: 'x' },
    };
    const paths = [];
    for (const [path, body] of Object.entries(bodies)) {
      paths.push(((await send('PUT', path, body)).body['detail'] as { loc: unknown }[])[0]?.loc);
    }
    expect(paths).toEqual([loc, ['body', 'long_term_memory', 'embedder'], ['body', 'embedder']]);
  });

  test.each([
    [
      '/memory',
      { episodic_memory: {} },
      'No changes applied.',
      { episodic: { longTerm: {}, shortTerm: {} } },
    ],
    ['/memory/semantic', { enabled: null }, 'No changes applied.', { semantic: {} }],
    [
      '/memory/episodic/short_term',
      { enabled: 'no', message_capacity: '12' },
      'Updated: message_capacity=12, short_term_memory_enabled=False',
      { episodic: { shortTerm: { enabled: false, messageCapacity: 12 } } },
    ],
    [
      '/memory/episodic/long_term',
      { properties_schema: { a: 'int' }, reranker: '' },
      'Updated: reranker=, properties_schema={"a":"int"}',
      { episodic: { longTerm: { propertiesSchema: { a: 'int' }, reranker: '' } } },
    ],
  ])('200 PUT %s %j', async (path, body, message, request) => {
    gateway.rpc.on(updateMemoryConfiguration, () => ({}) as never);
    expect(await send('PUT', path, body)).toEqual({ status: 200, body: { success: true, message } });
    expect(JSON.parse(JSON.stringify(gateway.rpc.requests(updateMemoryConfiguration)))).toEqual([request]);
  });

  test('200: what will not do what it is for is warned of, and a field that nothing reads is named', async () => {
    gateway.rpc
      .on(updateMemoryConfiguration, () => ({}) as never)
      .on(getResource, ({ kind, name }) => ({
        kind,
        name,
        provider: 'x',
        config: {},
        revision: 1,
        isBuiltIn: false,
        users: [],
        transitions: [],
        ...(name === 'bad' ? { status: 'failed' as const, error: 'Refused.' } : { status: 'ready' as const }),
      }));
    const answer = await gateway.app.inject({
      method: 'PUT',
      url: `${BASE}/memory/semantic`,
      payload: { llm_model: 'bad', embedding_model: 'good', vector_dimensions: 7, triger: 1 },
    });
    expect(answer.headers['x-ignored-fields']).toBe('triger');
    expect(answer.json()).toMatchObject({
      success: true,
      warnings: [
        expect.stringContaining('vector_dimensions has no effect'),
        expect.stringContaining("Language model 'bad' has failed, and cannot be used: Refused. Give it"),
      ],
    });
    expect(answer.body).toContain('POST /api/v2/config/resources/language_models/bad/retry');
  });
});
