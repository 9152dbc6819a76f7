import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  addEpisodes,
  type Episode,
  type Instant,
  listEpisodes,
  listFeatures,
  notFound,
  removeEpisodes,
  searchEpisodes,
  searchFeatures,
  type SearchEpisodesResponse,
  unavailable,
} from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const URL = '/api/v2/memories';
const TENANT = { org_id: 'acme', project_id: 'apollo' };
const tenant = { orgId: 'acme', projectId: 'apollo' };
const UID = '01890a5d-ac96-774b-bcce-b302099a8057';

const episode: Episode = {
  uid: UID,
  content: 'Ada prefers tea.',
  producerId: 'ada',
  producerRole: 'user',
  producedForId: '',
  createdAt: '2024-05-01T10:00:00.000000Z' as Instant,
  metadata: {},
};

const found: SearchEpisodesResponse = {
  enabled: true,
  longTerm: [{ ...episode, score: 0.75 }],
  shortTerm: [{ ...episode, metadata: { room: '5' }, createdAt: '2024-05-01T10:00:00.000001Z' as Instant }],
  summary: 'They talked about tea.',
  degraded: [],
};

const shown = {
  uid: UID,
  content: 'Ada prefers tea.',
  producer_id: 'ada',
  producer_role: 'user',
  produced_for_id: '',
  episode_type: 'message',
  created_at: '2024-05-01T10:00:00+00:00',
};

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

beforeEach(() => {
  void gateway.rpc
    .on(listFeatures, () => ({ features: [], total: 0 }))
    .on(searchFeatures, () => ({ features: [], degraded: [] }));
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

describe('add', () => {
  const added = (): void =>
    void gateway.rpc.on(addEpisodes, ({ episodes }) => ({ uids: episodes.map((_, n) => `uid-${n}`) }));

  test('200: the uids come in the sequence of the messages', async () => {
    added();
    const body = { ...TENANT, messages: [{ content: 'a' }, { content: 'b' }] };
    expect(await post(gateway, URL, body)).toMatchObject({
      status: 200,
      body: { results: [{ uid: 'uid-0' }, { uid: 'uid-1' }] },
    });
  });

  test('200: what is left out has its default', async () => {
    added();
    await post(gateway, URL, { messages: [{ content: '' }] });
    expect(JSON.parse(JSON.stringify(gateway.rpc.requests(addEpisodes)))).toEqual([
      {
        tenant: { orgId: 'universal', projectId: 'universal' },
        types: ['episodic', 'semantic'],
        episodes: [{ content: '', producerId: 'user', producerRole: '', producedForId: '', metadata: {} }],
      },
    ]);
  });

  test('200: all that is given is passed on', async () => {
    added();
    const message = {
      content: 'a\n😀',
      producer: 'ada',
      produced_for: 'bot',
      role: 'assistant',
      timestamp: '2024-05-01T12:00:00.000001+02:00',
      episode_type: 'message',
    };
    const body = `${JSON.stringify({ ...TENANT, types: ['semantic', 'semantic'], messages: [message] }).slice(0, -3)},"metadata":{"__proto__":"a","größe":"b"}}]}`;
    await gateway.app.inject({
      method: 'POST',
      url: URL,
      headers: { 'content-type': 'application/json' },
      payload: body,
    });
    const [request] = gateway.rpc.requests(addEpisodes);
    expect(request?.types).toEqual(['semantic']);
    expect(JSON.stringify(request?.episodes)).toBe(
      '[{"content":"a\\n😀","producerId":"ada","producerRole":"assistant","producedForId":"bot","createdAt":"2024-05-01T10:00:00.000001Z","metadata":{"__proto__":"a","größe":"b"}}]',
    );
  });

  test('200: numbers and null as timestamps', async () => {
    added();
    const messages = [1714557600, 1714557600123, null].map((timestamp) => ({ content: 'x', timestamp }));
    await post(gateway, URL, { messages });
    const [request] = gateway.rpc.requests(addEpisodes);
    expect(request?.episodes.map(({ createdAt }) => createdAt)).toEqual([
      '2024-05-01T10:00:00.000000Z',
      '2024-05-01T10:00:00.123000Z',
      undefined,
    ]);
  });

  test('503 with Retry-After: the service is down', async () => {
    gateway.rpc.on(addEpisodes, () => {
      throw unavailable('service_unavailable', 'Try again in two seconds.', { retryAfterSeconds: 2 });
    });
    expect(await post(gateway, URL, { messages: [{ content: 'a' }] })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { detail: 'Try again in two seconds.', code: 'service_unavailable' },
    });
  });

  test('500: an unforeseen error says nothing, and its story is logged with the id of the request', async () => {
    gateway.rpc.on(addEpisodes, () => {
      throw new TypeError('secret');
    });
    const answer = await post(gateway, URL, { messages: [{ content: 'a' }] }, { 'x-request-id': 'my-500' });
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(gateway.logger.lines).toContainEqual({
      level: 'error',
      message: 'request failed',
      fields: { request_id: 'my-500', error: expect.objectContaining({ message: 'secret' }) },
    });
  });
});

test('200: a language of what is added that the embedder does not know is named', async () => {
  gateway.rpc.on(addEpisodes, () => ({ uids: ['u'], unsupportedLanguage: 'de' }));
  const { headers } = await post(gateway, URL, { ...TENANT, messages: [{ content: 'a' }] });
  expect(headers['x-unsupported-language']).toBe('de');
});

describe('search', () => {
  test('200: both kinds, long-term with scores, short-term without, nothing that is null', async () => {
    gateway.rpc.on(searchEpisodes, () => found);
    const { status, headers, body } = await post(gateway, `${URL}/search`, { ...TENANT, query: 'tea' });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('x-degraded');
    expect(body).toEqual({
      status: 0,
      content: {
        episodic_memory: {
          long_term_memory: { episodes: [{ ...shown, score: 0.75 }] },
          short_term_memory: {
            episodes: [{ ...shown, created_at: '2024-05-01T10:00:00.000001+00:00', metadata: { room: '5' } }],
            episode_summary: ['They talked about tea.'],
          },
        },
        semantic_memory: [],
      },
    });
  });

  test('200: the time and the diversity of a question reach the service', async () => {
    gateway.rpc.on(searchEpisodes, () => found);
    const question = { query: 'last week', reference_time: '2024-05-01T12:00:00+02:00', diversity: 0.3 };
    await post(gateway, `${URL}/search`, question);
    expect(gateway.rpc.requests(searchEpisodes)).toMatchObject([
      { referenceTime: '2024-05-01T10:00:00.000000Z', diversity: 0.3 },
    ]);
  });

  test.each([{ diversity: 1.1 }, { diversity: -0.1 }, { diversity: 'x' }, { reference_time: 'soon' }])(
    '422: %j',
    async (fields) => {
      const answer = await post(gateway, `${URL}/search`, { query: 'tea', ...fields });
      expect(answer.status).toBe(422);
    },
  );

  test('200: the question as the service gets it', async () => {
    gateway.rpc.on(searchEpisodes, () => found);
    const question = { query: 'tea', top_k: '7', filter: 'm.a=1', expand_context: -3, score_threshold: 0.5 };
    await post(gateway, `${URL}/search`, { ...TENANT, ...question });
    await post(gateway, `${URL}/search`, { query: '' });
    expect(JSON.parse(JSON.stringify(gateway.rpc.requests(searchEpisodes)))).toEqual([
      {
        tenant,
        query: 'tea',
        topK: 7,
        filter: {
          op: 'compare',
          field: { kind: 'metadata', key: 'a' },
          comparison: '=',
          value: { type: 'number', value: 1 },
        },
        expandContext: 0,
        scoreThreshold: 0.5,
      },
      { tenant: { orgId: 'universal', projectId: 'universal' }, query: '', topK: 10, expandContext: 0 },
    ]);
  });

  test('200: only what was asked for; the other service is not even called', async () => {
    gateway.rpc.on(searchEpisodes, () => found);
    const episodic = await post(gateway, `${URL}/search`, { query: 'x', types: ['episodic'] });
    expect(episodic.body).toMatchObject({ content: { episodic_memory: expect.anything() } });
    expect(episodic.body).not.toHaveProperty('content.semantic_memory');
    gateway.rpc.reset();
    gateway.rpc.on(searchFeatures, () => ({ features: [], degraded: [] }));
    const semantic = await post(gateway, `${URL}/search`, { query: 'x', types: ['semantic'] });
    expect(semantic).toMatchObject({ status: 200, body: { content: { semantic_memory: [] } } });
    expect(semantic.body).not.toHaveProperty('content.episodic_memory');
  });

  test('200: episodic memory that is switched off is absent', async () => {
    gateway.rpc.on(searchEpisodes, () => ({ ...found, enabled: false }));
    const { body } = await post(gateway, `${URL}/search`, { query: 'x' });
    expect(body).toEqual({ status: 0, content: { semantic_memory: [] } });
  });

  test('200: no summary is one empty text', async () => {
    gateway.rpc.on(searchEpisodes, () => ({ ...found, summary: '' }));
    const { body } = await post(gateway, `${URL}/search`, { query: 'x' });
    expect(body).toHaveProperty('content.episodic_memory.short_term_memory.episode_summary', ['']);
  });

  test('200: what could not take part is named in x-degraded', async () => {
    gateway.rpc.on(searchEpisodes, () => ({ ...found, degraded: ['embedder', 'index_behind'] }));
    const { headers } = await post(gateway, `${URL}/search`, { query: 'x' });
    expect(headers['x-degraded']).toBe('embedder, index_behind');
  });

  test('200: a language that the embedder does not know is named', async () => {
    gateway.rpc.on(searchEpisodes, () => ({ ...found, unsupportedLanguage: 'de' }));
    const { headers } = await post(gateway, `${URL}/search`, { query: 'x' });
    expect(headers['x-unsupported-language']).toBe('de');
  });
});

describe('list', () => {
  const stub = (): void => void gateway.rpc.on(listEpisodes, () => ({ episodes: [episode], total: 41 }));

  test('200: episodes with their project, and the total in a header', async () => {
    stub();
    const { status, headers, body } = await post(gateway, `${URL}/list`, TENANT);
    expect(status).toBe(200);
    expect(headers['x-total-count']).toBe('41');
    expect(body).toEqual({
      status: 0,
      content: {
        episodic_memory: [{ ...shown, session_key: 'acme/apollo', sequence_num: 0, content_type: 'string' }],
        semantic_memory: [],
      },
    });
  });

  test('200: the page as the service gets it', async () => {
    stub();
    await post(gateway, `${URL}/list`, TENANT);
    await post(gateway, `${URL}/list`, { ...TENANT, page_size: 0, page_num: 7, filter: 'uid IS NULL' });
    expect(JSON.parse(JSON.stringify(gateway.rpc.requests(listEpisodes)))).toEqual([
      { tenant, pageSize: 100, pageNum: 0 },
      {
        tenant,
        pageSize: 0,
        pageNum: 7,
        filter: { op: 'not', arg: { op: 'present', field: { kind: 'system', name: 'uid' } } },
      },
    ]);
  });

  test.each([
    ['episodic', ['episodic_memory']],
    [null, ['episodic_memory', 'semantic_memory']],
  ])('200: type %s', async (type, kinds) => {
    stub();
    const { body } = await post(gateway, `${URL}/list`, { type });
    expect(Object.keys((body as { content: object }).content)).toEqual(kinds);
  });

  test('200: of type semantic the episodic service is not called', async () => {
    expect(await post(gateway, `${URL}/list`, { type: 'semantic' })).toMatchObject({
      status: 200,
      headers: { 'x-total-count': '0' },
      body: { status: 0, content: { semantic_memory: [] } },
    });
  });
});

describe('delete', () => {
  const url = `${URL}/episodic/delete`;

  test('204 with nothing: all ids were there; each is asked for once', async () => {
    gateway.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }));
    const answer = await post(gateway, url, { ...TENANT, episodic_id: 'b', episodic_ids: ['a', 'b', 'a'] });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(gateway.rpc.requests(removeEpisodes)).toMatchObject([{ tenant, uids: ['b', 'a'] }]);
  });

  test('404: names those that were not there and those that were deleted; malformed ones are not there', async () => {
    gateway.rpc.on(removeEpisodes, () => ({ deleted: ['a'], notFound: ['b c', '../d'] }));
    expect(await post(gateway, url, { ...TENANT, episodic_ids: ['a', 'b c', '../d'] })).toMatchObject({
      status: 404,
      body: {
        detail: expect.stringMatching(/the others were deleted/),
        code: 'memory_not_found',
        not_found: ['b c', '../d'],
        deleted: ['a'],
      },
    });
  });

  test('404: none was there', async () => {
    gateway.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: [], notFound: uids }));
    expect(await post(gateway, url, { episodic_id: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'memory_not_found', not_found: ['x'], deleted: [] },
    });
  });

  test('404: no such project', async () => {
    gateway.rpc.on(removeEpisodes, () => {
      throw notFound('project_not_found', 'Project acme/apollo does not exist; create it first.');
    });
    expect(await post(gateway, url, { ...TENANT, episodic_id: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'project_not_found' },
    });
  });
});
