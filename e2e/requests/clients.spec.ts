import { beforeAll, describe, expect, test } from '@jest/globals';
import { answered, createLociClient, type LociClient, LociError } from '@loci/client';
import { type Loci } from '@loci/testing';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Client, type Json, parse } from '../harness/client.js';
import { product } from './product.js';

let loci: Loci;
let client: LociClient;
let projects = 0;

beforeAll(async () => {
  loci = await product();
  client = createLociClient({ url: loci.url });
});

const freshProject = () => ({ org_id: 'acme-clients', project_id: `clients-${(projects += 1)}` });

describe('the TypeScript client', () => {
  test('adds, finds, lists, counts and deletes', async () => {
    const project = freshProject();
    const messages = [{ content: 'Alice prefers window seats.', producer: 'alice', metadata: { room: 'a' } }];
    const { results } = await answered(client.POST('/api/v2/memories', { body: { ...project, messages } }));
    const uid = results[0]?.uid ?? '';
    const found = await answered(
      client.POST('/api/v2/memories/search', { body: { ...project, query: 'seats', types: ['episodic'] } }),
    );
    expect(found.content.episodic_memory?.short_term_memory.episodes[0]).toMatchObject({
      uid,
      producer_id: 'alice',
    });
    const listed = await answered(
      client.POST('/api/v2/memories/list', { body: { ...project, filter: "metadata.room='a'" } }),
    );
    expect(listed.content.episodic_memory?.map((episode) => episode.uid)).toEqual([uid]);
    await answered(
      client.POST('/api/v2/memories/episodic/delete', { body: { ...project, episodic_ids: [uid] } }),
    );
    expect(await answered(client.POST('/api/v2/projects/episode_count/get', { body: project }))).toEqual({
      count: 0,
    });
  });

  test('a refusal is an error with its code, and with every problem of an invalid request', async () => {
    const missing = answered(client.POST('/api/v2/projects/get', { body: freshProject() }));
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'project_not_found' });
    const invalid = answered(client.POST('/api/v2/projects/get', { body: { org_id: '', project_id: '!' } }));
    const error: unknown = await invalid.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LociError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_request',
      problems: [{ loc: ['body', 'org_id'] }, { loc: ['body', 'project_id'] }],
    });
  });
});

/** A server of MCP that tells how far a call is, and breaks off before its answer. */
async function answerInPart(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { id, method, params } = (await json(request)) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: {
      readonly protocolVersion?: string;
      readonly _meta?: { readonly progressToken: number };
    };
  };
  if (id === undefined) response.writeHead(202).end();
  else if (method === 'initialize') {
    const result = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: NAMED,
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  } else {
    const progress = { progressToken: params?._meta?.progressToken, progress: 1 };
    const told = { jsonrpc: '2.0', method: 'notifications/progress', params: progress };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: message\ndata: ${JSON.stringify(told)}\n\nevent: message\ndata: {"json`, () => {
      request.socket.destroySoon();
    });
  }
}

const NAMED = { name: 'half', version: '1' };

describe('the MCP bridge for desktop clients', () => {
  async function desktop(env: Record<string, string>): Promise<McpClient> {
    const bridge = new McpClient({ name: 'desktop', version: '1' });
    const command = { command: process.execPath, args: ['apps/mcp-stdio/bin/loci-mcp.mjs'] };
    await bridge.connect(new StdioClientTransport({ ...command, env, stderr: 'ignore' }));
    return bridge;
  }

  const call = async (bridge: McpClient, name: string, given: Record<string, unknown>) =>
    CallToolResultSchema.parse(await bridge.callTool({ name, arguments: given }));

  test('what one tool adds, another finds, and it is where the environment says', async () => {
    const { org_id, project_id } = freshProject();
    const bridge = await desktop({ LOCI_URL: loci.url, MM_ORG_ID: org_id, MM_PROJ_ID: project_id });
    try {
      expect((await bridge.listTools()).tools.map(({ name }) => name)).toEqual([
        'add_memory',
        'search_memory',
        'get_context',
        'list_memories',
        'correct_memory',
        'delete_memory',
        'list_conflicts',
        'settle_conflict',
      ]);
      expect(bridge.getInstructions()).toContain('Long-term memory');
      expect((await bridge.listPrompts()).prompts).not.toEqual([]);
      expect((await bridge.listResources()).resources).not.toEqual([]);
      await call(bridge, 'add_memory', { content: 'The spare key is under the fern.', org_id: 'other' });
      const found = await call(bridge, 'search_memory', { query: 'Where is the spare key?' });
      expect(JSON.stringify(found.structuredContent)).toContain('under the fern');
      expect(await new Client(loci.url, { org_id, project_id }).count()).toBe(1);
      expect(await call(bridge, 'delete_memory', { episodic_memory_uids: ['nope'] })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('"memory_not_found"') }],
      });
    } finally {
      await bridge.close();
    }
  });

  test('a Loci that is not there is an error of the call that says so', async () => {
    const bridge = await desktop({ LOCI_URL: 'http://127.0.0.1:9' });
    try {
      await expect(bridge.listTools()).rejects.toThrow('Loci at http://127.0.0.1:9 did not answer');
    } finally {
      await bridge.close();
    }
  });

  test('an answer that breaks off is an error of the call that says so', async () => {
    const half = createServer((request, response) => void answerInPart(request, response));
    await once(half.listen(0, '127.0.0.1'), 'listening');
    const { port } = half.address() as AddressInfo;
    const bridge = await desktop({ LOCI_URL: `http://127.0.0.1:${port}` });
    try {
      const calling = bridge.callTool({ name: 'search_memory', arguments: {} }, undefined, {
        onprogress: () => undefined,
      });
      await expect(calling).rejects.toThrow(`Loci at http://127.0.0.1:${port} did not answer`);
    } finally {
      await bridge.close();
      half.closeAllConnections();
      half.close();
    }
  });

  test('a URL where something else is, is told when the client connects', async () => {
    await expect(desktop({ LOCI_URL: `${loci.url}/elsewhere` })).rejects.toThrow('Correct LOCI_URL');
  });
});

describe('the official inspector', () => {
  /** It looks for its own package.json in the folder that it is started in. */
  const cwd = 'node_modules/@modelcontextprotocol/inspector-cli/build';

  const inspect = async (...args: string[]): Promise<Json> => {
    const target = [`${loci.url}/mcp`, '--transport', 'http', '--header', 'user-id: inspector'];
    const command = ['index.js', ...target, '--method', ...args];
    return parse((await promisify(execFile)(process.execPath, command, { cwd })).stdout);
  };

  test('calls a tool and reads a resource', async () => {
    const add = ['--tool-name', 'add_memory', '--tool-arg', 'content=The inspector drinks tea.'];
    expect(await inspect('tools/call', ...add)).toMatchObject({ structuredContent: { status: 200 } });
    const uri = 'loci://users/inspector/recent';
    expect(await inspect('resources/read', '--uri', uri)).toMatchObject({
      contents: [{ uri, text: expect.stringContaining('drinks tea') }],
    });
  });
});

/** What a client of MemMachine sends, to the letter: its base URL, its headers and its bodies. */
class Wire {
  constructor(
    private readonly base: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const response = await fetch(`${loci.url}${this.base}${path}`, {
      method,
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: parse(text) };
  }

  /** The body of a POST that is answered as the client expects it. */
  async ok(path: string, body: object, status = 200): Promise<Json> {
    const answer = await this.send('POST', path, body);
    expect([path, answer.status]).toEqual([path, status]);
    return answer.body;
  }
}

const uuid = expect.stringMatching(/^[\w-]{36}$/);

/** An instant with an offset: Python refuses one without. */
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/);

const firstUid = (body: Json): string => (body['results'] as { uid: string }[])[0]?.uid ?? '';

describe('the Python client of MemMachine, and LangGraph that uses it', () => {
  const python = new Wire('/api/v2', {
    'user-agent': 'MemMachineClient/1.0.0',
    authorization: 'Bearer any key',
  });
  const project = freshProject();
  const context = { user_id: 'o’neil', session_id: "it's" };
  const filter = "metadata.user_id='o’neil' AND metadata.session_id='it''s'";

  test('gets or creates a project: 404 makes it create one, 409 makes it get the one of another', async () => {
    expect((await python.send('POST', '/projects/get', project)).status).toBe(404);
    const config = {
      embedder: '',
      reranker: '',
      vector_graph_store: '',
      vector_store: '',
      segment_store: '',
      properties_schema: {},
    };
    const created = await python.ok('/projects', { ...project, description: '', config }, 201);
    expect(created).toEqual({ ...project, description: '', config: expect.any(Object) });
    expect(created['config']).toEqual({
      backend: expect.stringMatching(/^(?:declarative|event)$/),
      embedder: expect.any(String),
      reranker: expect.any(String),
      vector_graph_store: expect.any(String),
      vector_store: expect.any(String),
      segment_store: expect.any(String),
      properties_schema: expect.any(Object),
    });
    expect((await python.send('POST', '/projects', { ...project, config })).status).toBe(409);
    expect(await python.ok('/projects/get', project)).toEqual(created);
    const all = (await python.ok('/projects/list', {})) as unknown as Json[];
    expect(all).toContainEqual(project);
    expect(await python.ok('/projects/episode_count/get', project)).toEqual({ count: 0 });
  });

  test('adds, searches with the filter of its context, lists by kind, and deletes', async () => {
    const message = {
      content: 'I like pizza',
      role: 'user',
      metadata: { ...context, episode_type: 'message' },
    };
    const more = {
      producer: 'ada',
      produced_for: 'bot',
      timestamp: '2024-05-01T10:00:00Z',
      episode_type: 'message',
    };
    const added = await python.ok('/memories', {
      ...project,
      types: [],
      messages: [{ ...message, ...more }],
    });
    expect(added).toEqual({ results: [{ uid: uuid }] });
    const uid = firstUid(added);
    const search = {
      ...project,
      query: 'pizza',
      top_k: 10,
      filter,
      expand_context: 0,
      agent_mode: false,
      types: ['episodic', 'semantic'],
      use_fts: 'rrf',
      append_n: 10,
    };
    const found = await python.ok('/memories/search', search);
    const episode = {
      uid,
      content: 'I like pizza',
      producer_id: 'ada',
      producer_role: 'user',
      produced_for_id: 'bot',
      episode_type: 'message',
      created_at: instant,
      metadata: message.metadata,
    };
    expect(found).toEqual({
      status: 0,
      content: {
        episodic_memory: {
          long_term_memory: { episodes: [] },
          short_term_memory: { episodes: [episode], episode_summary: [''] },
        },
        semantic_memory: [],
      },
    });
    const page = { ...project, page_size: 100, page_num: 0, filter: `${filter} AND (producer_id='ada')` };
    expect(await python.ok('/memories/list', { ...page, type: 'episodic' })).toEqual({
      status: 0,
      content: {
        episodic_memory: [
          {
            ...episode,
            session_key: `${project.org_id}/${project.project_id}`,
            sequence_num: 0,
            content_type: 'string',
          },
        ],
      },
    });
    expect(await python.ok('/memories/list', { ...page, type: 'semantic' })).toEqual({
      status: 0,
      content: { semantic_memory: [] },
    });
    await python.ok('/memories/episodic/delete', { ...project, episodic_id: uid, episodic_ids: [] }, 204);
  });

  test('keeps features, sets, categories and tags by ids that are texts', async () => {
    const set = { ...project, metadata_tags: [], is_org_level: false };
    const { set_id } = await python.ok('/memories/semantic/set_id/get', set);
    const about = { ...project, set_id };
    const feature = { ...about, category_name: 'profile', tag: 'Food', feature: 'dish', value: 'soup' };
    const metadata = { feature_metadata: { sure: true } };
    const { feature_id } = await python.ok('/memories/semantic/feature', { ...feature, ...metadata }, 201);
    const named = { ...project, feature_id };
    expect(await python.ok('/memories/semantic/feature/get', { ...named, load_citations: true })).toEqual({
      set_id,
      category: 'profile',
      tag: 'Food',
      feature_name: 'dish',
      value: 'soup',
      metadata: { id: feature_id, other: { sure: 'true' } },
      trust: 'protected',
      origin: { kind: 'client' },
      recorded_at: expect.any(String),
    });
    await python.ok('/memories/semantic/feature/update', { ...named, value: 'stew' }, 204);
    await python.ok(
      '/memories/semantic/delete',
      { ...project, semantic_id: feature_id, semantic_ids: [] },
      204,
    );
    expect((await python.send('POST', '/memories/semantic/feature/get', named)).status).toBe(404);

    const type = { ...project, metadata_tags: ['team'], is_org_level: false };
    const { set_type_id } = await python.ok('/memories/semantic/set_type', type, 201);
    const entry = { is_org_level: false, tags: ['team'], name: null, description: null };
    const types = await python.ok('/memories/semantic/set_type/list', project);
    expect(types).toEqual({ set_types: [{ id: set_type_id, ...entry }] });
    const sets = await python.ok('/memories/semantic/set_id/list', {
      ...project,
      set_metadata: { team: 'x' },
    });
    expect(sets['sets']).toContainEqual({ ...entry, id: expect.any(String) });
    await python.ok('/memories/semantic/set/configure', { ...about, embedder_name: 'local' }, 204);

    const category = { category_name: 'plans', prompt: 'What is planned.' };
    const { category_id } = await python.ok('/memories/semantic/category', { ...about, ...category }, 201);
    const it = { ...project, category_id };
    expect(await python.ok('/memories/semantic/category/get', it)).toEqual({
      id: category_id,
      name: 'plans',
      prompt: 'What is planned.',
      description: null,
    });
    expect(await python.ok('/memories/semantic/category/set_ids/get', it)).toEqual({ set_ids: [set_id] });
    const tag = { ...it, tag_name: 'Dates', tag_description: 'When.' };
    const { tag_id } = await python.ok('/memories/semantic/category/tag', tag, 201);
    await python.ok('/memories/semantic/category/tag/delete', { ...project, tag_id }, 204);
    const ofType = { ...project, set_type_id };
    await python.ok('/memories/semantic/category/template', { ...ofType, ...category }, 201);
    expect(await python.ok('/memories/semantic/category/template/list', ofType)).toEqual({
      categories: [
        { id: uuid, name: 'plans', origin_type: 'set_type', origin_id: set_type_id, inherited: true },
      ],
    });
    await python.ok('/memories/semantic/category/disable', { ...about, category_name: 'profile' }, 204);
    await python.ok('/memories/semantic/category/delete', it, 204);
    await python.ok('/memories/semantic/set_type/delete', ofType, 204);
  });

  test('reads and writes the settings of a project and of the deployment, and deletes the project', async () => {
    const settings = { enabled: true, long_term_memory_enabled: true, short_term_memory_enabled: true };
    expect(await python.ok('/memory/episodic/config/get', project)).toEqual(settings);
    await python.ok('/memory/episodic/config', { ...project, enabled: true }, 204);
    for (const path of [
      '',
      '/resources',
      '/memory/episodic',
      '/memory/episodic/long_term',
      '/memory/semantic',
    ]) {
      expect((await python.send('GET', `/config${path}`)).status).toBe(200);
    }
    const update = { enabled: true, ingestion_trigger_messages: 5 };
    expect((await python.send('PUT', '/config/memory/semantic', update)).body).toEqual({
      success: true,
      message: expect.any(String),
    });
    await python.ok('/projects/delete', project, 204);
    expect((await python.send('GET', '/health')).body).toMatchObject({
      status: 'healthy',
      version: expect.any(String),
    });
    expect((await python.send('GET', '/metrics')).text).toMatch(/^http_requests_total\{.*\} \d/m);
  });
});

describe('the TypeScript client of MemMachine, and OpenClaw that uses it', () => {
  const typescript = new Wire('/api/v2', { 'user-agent': 'memmachine-ts-client/0.3.10' });
  const project = freshProject();
  const config = { reranker: '', embedder: '' };
  const run = { run_id: 's1', user_id: 'u1' };
  const inScope = "(metadata.run_id = 's1' OR metadata.user_id = 'u1')";

  test('creates, gets and lists projects by organization; an error has a sentence to show', async () => {
    const missing = await typescript.send('POST', '/projects/get', project);
    expect(missing).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    const created = await typescript.ok('/projects', { ...project, description: '', config }, 201);
    expect(created).toMatchObject({ ...project, description: '', config: expect.any(Object) });
    const listed = (await typescript.ok('/projects/list', { org_id: project.org_id })) as unknown as Json[];
    expect(listed).toContainEqual(project);
  });

  test('adds without the fields that JSON leaves out, with the metadata of its context', async () => {
    const message = {
      content: 'The key is under the fern.',
      role: 'user',
      timestamp: new Date().toISOString(),
    };
    const body = { ...project, types: ['episodic', 'semantic'], messages: [{ ...message, metadata: run }] };
    const uid = firstUid(await typescript.ok('/memories', body));
    const search = { ...project, query: 'key', top_k: 5, filter: inScope, expand_context: 0 };
    const found = await typescript.ok('/memories/search', {
      ...search,
      score_threshold: 0.5,
      agent_mode: false,
      types: ['episodic', 'semantic'],
    });
    const { episodic_memory: episodic } = found['content'] as { episodic_memory: Json };
    expect(episodic['short_term_memory']).toMatchObject({ episodes: [{ uid, content: message.content }] });
  });

  test('gets one memory by a filter on its id, of either kind, and forgets it by trying both', async () => {
    const page = { ...project, page_size: 1, page_num: 0 };
    const listed = await typescript.ok('/memories/list', { ...page, filter: inScope, type: 'episodic' });
    const [episode] = (listed['content'] as { episodic_memory: { uid: string }[] }).episodic_memory;
    const byUid = { ...page, filter: `uid = '${episode?.uid ?? ''}'`, type: 'episodic' };
    expect((await typescript.ok('/memories/list', byUid))['content']).toMatchObject({
      episodic_memory: [episode],
    });

    const { set_id } = await typescript.ok('/memories/semantic/set_id/get', {
      ...project,
      metadata_tags: [],
    });
    const one = { ...project, set_id, category_name: 'profile', tag: 'Home', feature: 'key', value: 'fern' };
    const { feature_id } = await typescript.ok('/memories/semantic/feature', one, 201);
    await typescript.ok('/memories/semantic/feature', { ...one, value: 'mat' }, 201);
    const byId = {
      ...page,
      page_size: 10,
      filter: `metadata.id = '${String(feature_id)}'`,
      type: 'semantic',
    };
    expect((await typescript.ok('/memories/list', byId))['content']).toEqual({
      semantic_memory: [
        expect.objectContaining({ feature_name: 'key', value: 'fern', metadata: { id: feature_id } }),
      ],
    });
    const asEpisode = { ...project, episodic_id: feature_id };
    expect((await typescript.send('POST', '/memories/episodic/delete', asEpisode)).status).toBe(404);
    await typescript.ok('/memories/semantic/delete', { ...project, semantic_id: feature_id }, 204);
    await typescript.ok('/projects/delete', project, 204);
  });
});

describe('the nodes of n8n', () => {
  const n8n = new Wire('/api/v2', { accept: 'application/json' });
  const project = { org_id: randomUUID(), project_id: randomUUID() };

  test('test their credentials, and retrieve or create a project by what the refusal says', async () => {
    expect((await n8n.send('GET', '/health')).status).toBe(200);
    const missing = await n8n.send('POST', '/projects/get', project);
    expect(missing.status).toBe(404);
    expect(String(missing.body['detail']).toLowerCase()).toContain('does not exist');
    const config = { reranker: '', embedder: '' };
    const created = await n8n.ok('/projects', { ...project, description: 'Auto-created', config }, 201);
    expect(created).toMatchObject(project);
  });

  test('store what was said by user and agent, and enrich with both halves of memory', async () => {
    const metadata = { session_id: 's', agent_id: 'a', user_id: 'u', group_id: 'g' };
    const message = {
      content: 'Book the window seat.',
      producer: 'u',
      produced_for: 'agent',
      role: 'user',
      metadata,
    };
    await n8n.ok('/memories', { ...project, messages: [message] });
    const noted = { session_id: 's', category: 'history', timestamp: new Date().toISOString() };
    const answer = {
      ...message,
      content: 'Booked.',
      producer: 'agent',
      produced_for: 'u',
      role: 'assistant',
    };
    await n8n.ok('/memories', { ...project, messages: [{ ...answer, metadata: noted }] });
    const found = await n8n.ok('/memories/search', { ...project, query: 'seat', top_k: 10, types: [] });
    expect(found['content']).toMatchObject({
      episodic_memory: {
        long_term_memory: { episodes: [] },
        short_term_memory: {
          episodes: [
            { content: message.content, producer_id: 'u', produced_for_id: 'agent', episode_type: 'message' },
            { content: 'Booked.', producer_id: 'agent', produced_for_id: 'u' },
          ],
          episode_summary: [''],
        },
      },
      semantic_memory: [],
    });
    await n8n.ok('/projects/delete', project, 204);
  });
});
