import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addEpisodes,
  projectNotFound,
  removeEpisodes,
  removeFeatures,
  searchEpisodes,
  searchFeatures,
  unavailable,
} from '@loci/contracts';
import { call, McpClients } from '../../test/mcp-clients.js';
import { EPISODE as episode, FEATURE as feature } from '../../test/memories.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;
let clients: McpClients;

const connect = (headers: Record<string, string> = {}, path = '/mcp') => clients.connect(headers, path);

beforeAll(async () => {
  gateway = await startTestGateway();
  clients = await McpClients.of(gateway);
});

afterEach(async () => {
  await clients.close();
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

describe('a client of the protocol', () => {
  test.each(['/mcp', '/mcp/'])('connects at %s and learns the tools', async (path) => {
    const client = await connect({}, path);
    expect(client.getServerVersion()).toMatchObject({ name: 'Loci' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
      ['add_memory', ['content']],
      ['search_memory', ['query']],
      ['get_context', ['query']],
      ['list_memories', []],
      ['correct_memory', ['semantic_memory_uid', 'value']],
      ['delete_memory', []],
      ['list_conflicts', []],
      ['settle_conflict', ['semantic_memory_uid']],
    ]);
    const search = tools[1]?.inputSchema.properties;
    expect(Object.keys(search ?? {}).sort()).toEqual([
      'as_of',
      'org_id',
      'proj_id',
      'query',
      'top_k',
      'user_id',
    ]);
    expect(search?.['top_k']).toMatchObject({ type: 'integer', default: 20 });
  });

  test('is not promised notices of changed lists, which no answer could bring', async () => {
    const capabilities = (await connect()).getServerCapabilities();
    expect(Object.keys(capabilities ?? {}).sort()).toEqual(['prompts', 'resources', 'tools']);
    expect(JSON.stringify(capabilities)).not.toContain('"listChanged":true');
  });

  test('gets an id of the request with every answer', async () => {
    const answer = await post(gateway, '/mcp', {}, { accept: 'application/json, text/event-stream' });
    expect(answer.status).toBe(400);
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  test.each([
    [
      'initialize',
      { protocolVersion: 7, capabilities: {} },
      /protocolVersion: .*string; .*clientInfo: Field required/,
    ],
    ['initialize', undefined, /params: Field required/],
    ['tools/call', { name: 5 }, /params.name: Input should be a valid string/],
    ['resources/read', {}, /params.uri: Field required/],
  ])('whose params of %s are wrong is told what is wrong with them (%#)', async (method, params, said) => {
    const accept = { accept: 'application/json, text/event-stream' };
    const { status, body } = await post(gateway, '/mcp', { jsonrpc: '2.0', id: 1, method, params }, accept);
    expect(status).toBe(200);
    const error = { code: -32602, message: expect.stringMatching(said), data: { code: 'invalid_request' } };
    expect(body).toMatchObject({ id: 1, error });
  });

  test('gets answers to the other requests of a batch in which one is wrong', async () => {
    const accept = { accept: 'application/json, text/event-stream' };
    const wrong = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} };
    const { body } = await post(gateway, '/mcp', [wrong, { jsonrpc: '2.0', id: 2, method: 'ping' }], accept);
    expect(body).toEqual(expect.arrayContaining([{ jsonrpc: '2.0', id: 2, result: {} }]));
    expect(JSON.stringify(body)).toContain('-32602');
  });

  test('that waits for messages of the server is told that there are none', async () => {
    expect((await gateway.app.inject({ method: 'GET', url: '/mcp' })).statusCode).toBe(405);
  });
});

describe('whom a tool acts for', () => {
  const actsFor = async (
    headers: Record<string, string>,
    given: Record<string, unknown>,
  ): Promise<unknown> => {
    gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] }));
    const client = await connect(headers);
    const result = await call(client, 'add_memory', { content: 'x', ...given });
    expect(result.isError).toBeUndefined();
    const [request] = gateway.rpc.requests(addEpisodes);
    return [request?.tenant.orgId, request?.tenant.projectId, request?.episodes[0]?.producerId];
  };

  test('the headers go before the arguments', async () => {
    const headers = { 'org-id': 'acme', 'proj-id': 'travel', 'user-id': 'alice' };
    const given = { org_id: 'other', proj_id: 'other', user_id: 'other' };
    expect(await actsFor(headers, given)).toEqual(['acme', 'travel', 'alice']);
  });

  test('the arguments count where there is no header', async () => {
    expect(await actsFor({ 'org-id': 'acme' }, { user_id: 'bob' })).toEqual(['acme', 'mcp-bob', 'bob']);
  });

  test('without both there are defaults', async () => {
    expect(await actsFor({}, {})).toEqual(['mcp-universal', 'mcp-user-unknown', 'user-unknown']);
  });

  test('the environment stands between headers and arguments', async () => {
    const own = await startTestGateway({ MM_ORG_ID: 'env-org', MM_USER_ID: 'env-user' });
    const [theirs, theirClients] = [gateway, clients];
    [gateway, clients] = [own, await McpClients.of(own)];
    try {
      const named = await actsFor({ 'user-id': 'alice' }, { org_id: 'given', proj_id: 'given' });
      expect(named).toEqual(['env-org', 'given', 'alice']);
    } finally {
      await clients.close();
      [gateway, clients] = [theirs, theirClients];
      await own.app.close();
    }
  });

  test.each(['user-id', 'org-id', 'proj-id'])('a blank %s is an error, not an absent one', async (name) => {
    const accept = { accept: 'application/json, text/event-stream' };
    const ask = async (method: string, params: object = {}) => {
      const message = { jsonrpc: '2.0', id: 1, method, params };
      return (await post(gateway, '/mcp', message, { ...accept, 'user-id': 'a', [name]: ' ' })).body;
    };
    const said = expect.stringContaining(`header.${name}: The header is blank`);
    const search = { name: 'search_memory', arguments: { query: 'x', user_id: 'alice' } };
    const found = JSON.stringify(await ask('tools/call', search));
    expect(found).toContain('The header is blank');
    expect(found).toContain('"isError":true');
    const uri = 'loci://users/a/recent';
    expect(await ask('resources/read', { uri })).toMatchObject({ error: { code: -32602, message: said } });
    expect(gateway.rpc.requests(searchEpisodes)).toEqual([]);
  });

  test('resources are not listed for a blank user', async () => {
    const headers = { accept: 'application/json, text/event-stream', 'user-id': '' };
    for (const method of ['resources/list', 'resources/templates/list']) {
      const { body } = await post(gateway, '/mcp', { jsonrpc: '2.0', id: 1, method }, headers);
      expect(body).toMatchObject({ error: { code: -32602, data: { code: 'invalid_request' } } });
    }
  });

  test.each([
    ['a header', { 'org-id': 'not an id' }, {}, 'org_id'],
    ['an argument', {}, { proj_id: 'not/an/id' }, 'proj_id'],
  ])('%s that is no id is an error, and no service hears of it', async (_, headers, given, field) => {
    const result = await call(await connect(headers), 'add_memory', { content: 'x', ...given });
    expect(result).toMatchObject({
      isError: true,
      payload: {
        status: 422,
        message: expect.stringContaining(field),
        detail: [{ loc: ['arguments', field], type: 'string_pattern_mismatch' }],
      },
    });
  });
});

describe('the tools', () => {
  test('add_memory stores one message of the user', async () => {
    gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] }));
    const result = await call(await connect({ 'user-id': 'alice' }), 'add_memory', { content: 'Hello.' });
    const payload = { status: 200, message: 'Success', uid: 'u' };
    expect(result).toEqual({ payload, structuredContent: payload });
    expect(gateway.rpc.requests(addEpisodes)[0]).toMatchObject({
      types: ['episodic', 'semantic'],
      episodes: [
        {
          content: 'Hello.',
          producerId: 'alice',
          producedForId: 'unknown',
          producerRole: 'user',
          metadata: { user_id: 'alice' },
        },
      ],
    });
  });

  test('search_memory answers like a search, with nulls, and wrapped as structured content', async () => {
    gateway.rpc.on(searchEpisodes, () => ({
      enabled: true,
      longTerm: [{ ...episode, score: 0.5 }],
      shortTerm: [episode],
      summary: '',
      degraded: [],
    }));
    gateway.rpc.on(searchFeatures, () => ({ features: [feature], degraded: [] }));
    const result = await call(await connect(), 'search_memory', { query: 'seats' });
    const shown = expect.objectContaining({ uid: episode.uid, score: 0.5, metadata: null });
    expect(result.payload).toEqual({
      status: 0,
      content: {
        episodic_memory: {
          long_term_memory: { episodes: [shown] },
          short_term_memory: {
            episodes: [expect.objectContaining({ uid: episode.uid, score: null })],
            episode_summary: [''],
          },
        },
        semantic_memory: [
          expect.objectContaining({
            feature_name: 'seat',
            metadata: { id: 'f-1', citations: null, other: null },
          }),
        ],
      },
    });
    expect(result.structuredContent).toEqual({ result: result.payload });
    expect(gateway.rpc.requests(searchEpisodes)[0]).toMatchObject({ query: 'seats', topK: 20 });
  });

  test('get_context answers with a text and its citations, of one user if one is named', async () => {
    gateway.rpc.on(searchEpisodes, () => ({
      enabled: true,
      longTerm: [],
      shortTerm: [episode],
      summary: '',
      degraded: [],
    }));
    gateway.rpc.on(searchFeatures, () => ({ features: [], degraded: [] }));
    const result = await call(await connect(), 'get_context', { query: 'seats', max_tokens: 50 });
    expect(result.payload).toEqual({
      text: '## Recent\n[1] 2025-06-01 09:30 "alice": "Alice prefers window seats."',
      tokens: expect.any(Number),
      citations: [{ marker: '[1]', kind: 'episode', id: episode.uid, trust: 'trusted' }],
    });
    await call(await connect({ 'user-id': 'alice' }), 'get_context', { query: 'seats' });
    expect(gateway.rpc.requests(searchFeatures).map(({ setMetadata }) => setMetadata)).toEqual([
      {},
      { producer_id: 'alice', user_id: 'alice' },
    ]);
  });

  test('delete_memory deletes what it is given', async () => {
    gateway.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }));
    gateway.rpc.on(removeFeatures, ({ featureIds }) => ({ deleted: featureIds, notFound: [] }));
    const result = await call(await connect(), 'delete_memory', {
      episodic_memory_uids: [episode.uid, episode.uid],
      semantic_memory_uids: ['f-1'],
    });
    expect(result.payload).toEqual({ status: 200, message: 'Success' });
    expect(gateway.rpc.requests(removeEpisodes)).toMatchObject([{ uids: [episode.uid] }]);
    expect(gateway.rpc.requests(removeFeatures)).toMatchObject([{ featureIds: ['f-1'] }]);
  });
});

describe('a failure is an error of the tool, with what HTTP would have answered', () => {
  test.each([
    ['an argument is missing', 'add_memory', {}, { status: 422, code: 'invalid_request' }],
    ['no id is given', 'delete_memory', {}, { status: 422, code: 'invalid_request' }],
    ['the tool does not exist', 'forget_all', {}, { status: 404, code: 'tool_not_found' }],
  ])('%s', async (_, name, given, payload) => {
    const result = await call(await connect(), name, given);
    expect(result).toMatchObject({ isError: true, payload: { ...payload, message: expect.any(String) } });
  });

  test('the memory is not there', async () => {
    gateway.rpc.on(removeEpisodes, ({ uids }) => ({ deleted: [], notFound: uids }));
    const result = await call(await connect(), 'delete_memory', { episodic_memory_uids: ['nope'] });
    expect(result).toMatchObject({
      isError: true,
      payload: { status: 404, code: 'memory_not_found', not_found: ['nope'], deleted: [] },
    });
  });

  test('the project is not there', async () => {
    gateway.rpc.on(removeEpisodes, () => {
      throw projectNotFound({ orgId: 'a', projectId: 'b' });
    });
    const result = await call(await connect(), 'delete_memory', { episodic_memory_uids: ['nope'] });
    expect(result).toMatchObject({ isError: true, payload: { status: 404, code: 'project_not_found' } });
  });

  test('a service is down', async () => {
    gateway.rpc.on(addEpisodes, () => {
      throw unavailable('service_unavailable', 'Down; try again.');
    });
    const result = await call(await connect(), 'add_memory', { content: 'x' });
    expect(result).toMatchObject({
      isError: true,
      payload: { status: 503, code: 'service_unavailable', message: 'Down; try again.' },
    });
  });

  test('our own fault tells nothing of its story, and is logged', async () => {
    gateway.rpc.on(addEpisodes, () => {
      throw new Error('secret story');
    });
    const result = await call(await connect(), 'add_memory', { content: 'x' });
    expect(result).toMatchObject({ isError: true, payload: { status: 500, code: 'internal_error' } });
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});
