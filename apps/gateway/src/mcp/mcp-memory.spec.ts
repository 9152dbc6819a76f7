import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  invalid,
  listConflicts,
  listEpisodes,
  listFeatures,
  readProfile,
  removeEpisodes,
  removeFeatures,
  searchEpisodes,
  searchFeatures,
  updateFeature,
} from '@loci/contracts';
import { isJsonObject } from '@loci/platform/schema';
import { EPISODE, FEATURE } from '../../test/memories.js';
import { call, McpClients } from '../../test/mcp-clients.js';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;
let clients: McpClients;
let unscoped: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  unscoped = await startTestGateway({ MCP_USER_SCOPE: 'off' });
  clients = await McpClients.of(gateway);
});

afterEach(async () => {
  await clients.close();
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => Promise.all([gateway.app.close(), unscoped.app.close()]));

const ALICE = { 'org-id': 'acme', 'proj-id': 'travel', 'user-id': 'alice' };
const TENANT = { orgId: 'acme', projectId: 'travel' };
const OF_ALICE = expect.objectContaining({ op: 'or' });

function found(rpc = gateway.rpc): void {
  rpc
    .on(searchEpisodes, () => ({
      enabled: true,
      longTerm: [{ ...EPISODE, score: 0.5 }],
      shortTerm: [EPISODE],
      summary: 'What everybody said.',
      degraded: [],
    }))
    .on(searchFeatures, () => ({ features: [FEATURE], degraded: [] }));
}

describe('what clients are told of a tool', () => {
  /** Every schema in a schema, with the keywords of each. */
  function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
    if (!isJsonObject(schema)) return;
    yield schema;
    const { properties = {}, items, anyOf = [] } = schema;
    const parts: unknown[] = [...Object.values(properties as Record<string, unknown>), items, anyOf].flat();
    for (const part of parts) yield* schemasIn(part);
  }

  test('needs no keyword that a model provider refuses, and says what each argument is', async () => {
    const { tools } = await (await clients.connect()).listTools();
    for (const { name, inputSchema } of tools) {
      for (const schema of schemasIn(inputSchema)) {
        expect([name, typeof schema['type']]).toEqual([name, 'string']);
        expect(JSON.stringify(schema)).not.toMatch(/"(null|\$ref|anyOf|pattern|examples|const)"/);
      }
      for (const [argument, field] of Object.entries(inputSchema.properties ?? {}))
        expect([name, argument, 'description' in field]).toEqual([name, argument, true]);
    }
  });

  test('has a title, and says truly whether it reads, destroys, and may be repeated', async () => {
    const { tools } = await (await clients.connect()).listTools();
    const hints = tools.map(({ name, title, annotations = {} }) => {
      expect(title).toBe(annotations.title);
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
      return [name, readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
    });
    expect(hints).toEqual([
      ['add_memory', false, false, false, false],
      ['search_memory', true, false, true, false],
      ['get_context', true, false, true, false],
      ['list_memories', true, false, true, false],
      ['correct_memory', false, true, true, false],
      ['delete_memory', false, true, true, false],
      ['list_conflicts', true, false, true, false],
      ['settle_conflict', false, true, false, false],
    ]);
  });

  test('has the schema of its answer, which the client checks', async () => {
    found();
    gateway.rpc
      .on(listEpisodes, () => ({ episodes: [EPISODE], total: 1 }))
      .on(listFeatures, () => ({ features: [FEATURE], total: 1 }));
    const client = await clients.connect(ALICE);
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => !outputSchema)).toEqual([]);
    const asked = ['search_memory', 'get_context', 'list_memories'];
    for (const name of asked) {
      // the client of the SDK throws for structured content that does not fit
      for (const kind of ['episodic', 'semantic'])
        expect((await call(client, name, { query: 'x', kind })).structuredContent).toBeDefined();
    }
  });
});

describe('a user who is named', () => {
  test.each([
    ['by a header', ALICE, {}],
    ['by an argument', { 'org-id': 'acme', 'proj-id': 'travel' }, { user_id: 'alice' }],
  ])('%s is the only one of whom is read', async (_, headers, given) => {
    found();
    const client = await clients.connect(headers);
    const { structuredContent } = await call(client, 'search_memory', { query: 'seat', ...given });
    expect(JSON.stringify(structuredContent)).not.toContain('What everybody said.');
    expect(gateway.rpc.requests(searchEpisodes)).toMatchObject([
      { tenant: TENANT, filter: { op: 'and', args: [OF_ALICE] } },
    ]);
    expect(gateway.rpc.requests(searchFeatures)).toMatchObject([
      { user: 'alice', setMetadata: { producer_id: 'alice', user_id: 'alice' } },
    ]);
  });

  test('is the only one whose memories are listed, corrected and deleted', async () => {
    gateway.rpc
      .on(listEpisodes, () => ({ episodes: [EPISODE] }))
      .on(listFeatures, () => ({ features: [FEATURE] }))
      .on(updateFeature, () => ({}))
      .on(removeEpisodes, ({ uids }) => ({ deleted: uids, notFound: [] }))
      .on(removeFeatures, ({ featureIds }) => ({ deleted: featureIds, notFound: [] }));
    const client = await clients.connect(ALICE);
    await call(client, 'list_memories', { kind: 'episodic', filter: "producer_id = 'x'" });
    expect(gateway.rpc.requests(listEpisodes)).toMatchObject([
      { filter: { op: 'and', args: [{ op: 'compare' }, { op: 'and', args: [OF_ALICE] }] } },
    ]);
    const corrected = await call(client, 'correct_memory', { semantic_memory_uid: 'f-1', value: 'aisle' });
    expect(corrected.payload).toEqual({ status: 200, message: 'Success' });
    expect(gateway.rpc.requests(updateFeature)).toMatchObject([{ featureId: 'f-1', value: 'aisle' }]);
    const deleted = await call(client, 'delete_memory', {
      episodic_memory_uids: [EPISODE.uid, 'of-bob'],
      semantic_memory_uids: ['f-1'],
    });
    expect(deleted).toMatchObject({
      isError: true,
      payload: { status: 404, not_found: ['of-bob'], deleted: [EPISODE.uid, 'f-1'] },
    });
    expect(gateway.rpc.requests(removeEpisodes)).toMatchObject([{ uids: [EPISODE.uid] }]);
    expect(gateway.rpc.requests(listFeatures)).toMatchObject([{ user: 'alice' }, { user: 'alice' }]);
  });

  test('is not the only one where the deployment says so', async () => {
    found(unscoped.rpc);
    const own = await McpClients.of(unscoped);
    await call(await own.connect(ALICE), 'search_memory', { query: 'seat' });
    await own.close();
    const [asked] = unscoped.rpc.requests(searchEpisodes);
    expect(asked).toMatchObject({ tenant: TENANT, query: 'seat' });
    expect(asked?.filter).toBeUndefined();
  });
});

test('a fact of another user cannot be corrected', async () => {
  gateway.rpc.on(listFeatures, () => ({ features: [] }));
  const given = { semantic_memory_uid: 'of-bob', value: 'x' };
  const result = await call(await clients.connect(ALICE), 'correct_memory', given);
  expect(result).toMatchObject({ isError: true, payload: { status: 404, code: 'feature_not_found' } });
  expect(gateway.rpc.requests(updateFeature)).toEqual([]);
});

describe('contradictions', () => {
  const unknown = () =>
    invalid('unknown_subject', [{ loc: ['body', 'subject'], msg: 'Nothing', type: 'unknown_subject' }]);

  test('of a user of whom nothing is known yet are none', async () => {
    gateway.rpc.on(listConflicts, () => {
      throw unknown();
    });
    const result = await call(await clients.connect(ALICE), 'list_conflicts', {});
    expect(result.isError).toBeFalsy();
    expect(result.payload).toEqual({ conflicts: [], total: 0 });
    expect(gateway.rpc.requests(listConflicts)).toMatchObject([{ subject: 'alice' }]);
  });

  test('that could not be looked for are not said to be none', async () => {
    gateway.rpc.on(listConflicts, () => {
      throw invalid('invalid_request', [{ loc: ['body', 'page_num'], msg: 'No', type: 'invalid' }]);
    });
    const result = await call(await clients.connect(ALICE), 'list_conflicts', {});
    expect(result).toMatchObject({ isError: true, payload: { status: 422 } });
  });
});

test('what held at a moment is asked of the service, and no moment is refused', async () => {
  found();
  gateway.rpc.on(listFeatures, () => ({ features: [FEATURE] }));
  const client = await clients.connect(ALICE);
  const as_of = '2024-05-01T12:00:00Z';
  await call(client, 'search_memory', { query: 'seat', as_of });
  await call(client, 'get_context', { query: 'seat', as_of });
  await call(client, 'list_memories', { as_of });
  const asked = [...gateway.rpc.requests(searchFeatures), ...gateway.rpc.requests(listFeatures)];
  const asOf = '2024-05-01T12:00:00.000000Z';
  expect(asked).toMatchObject([{ asOf }, { asOf }, { asOf }]);
  for (const wrong of ['last year', '9999-01-01T00:00:00Z']) {
    const refused = await call(client, 'search_memory', { query: 'seat', as_of: wrong });
    expect(refused).toMatchObject({ isError: true, payload: { status: 422 } });
  }
});

test('a list goes on where its cursor says, to its end', async () => {
  const next = { createdAt: EPISODE.createdAt, uid: EPISODE.uid };
  gateway.rpc.on(listEpisodes, ({ byPosition }) => ({
    episodes: [EPISODE],
    ...(byPosition?.after ? {} : { next }),
  }));
  const client = await clients.connect();
  const first = await call(client, 'list_memories', { kind: 'episodic', page_size: 1 });
  expect(first.payload).toEqual({
    episodic_memory: [expect.objectContaining({ uid: EPISODE.uid })],
    next_cursor: expect.any(String),
  });
  const { next_cursor: cursor } = first.payload as { next_cursor: string };
  const last = await call(client, 'list_memories', { kind: 'episodic', page_size: 1, cursor });
  expect(last.payload).toEqual({ episodic_memory: [expect.any(Object)] });
  expect(gateway.rpc.requests(listEpisodes).map(({ byPosition }) => byPosition?.after)).toEqual([
    undefined,
    next,
  ]);
});

describe('resources', () => {
  test('are the profile and the recent messages of the user of the connection', async () => {
    found();
    gateway.rpc.on(readProfile, () => ({ features: [FEATURE] }));
    const client = await clients.connect(ALICE);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'loci://users/alice/profile',
      'loci://users/alice/recent',
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    const texts: unknown[] = [];
    for (const { uri } of resources) {
      const [content] = (await client.readResource({ uri })).contents;
      expect(content).toMatchObject({ uri, mimeType: 'text/markdown' });
      texts.push(content && 'text' in content && content.text);
    }
    expect(texts).toEqual([
      expect.stringContaining('[1] f-1'),
      expect.stringContaining('Alice prefers window seats.'),
    ]);
    await expect(client.readResource({ uri: 'loci://users/bob/profile' })).rejects.toMatchObject({
      code: -32002,
    });
  });

  test('are of any user where the connection names none', async () => {
    gateway.rpc.on(readProfile, () => {
      throw invalid('unknown_subject', [{ loc: ['body', 'user'], msg: 'Nothing', type: 'unknown_subject' }]);
    });
    const client = await clients.connect();
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['loci://recent']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'loci://users/{user_id}/profile',
      'loci://users/{user_id}/recent',
    ]);
    const { contents } = await client.readResource({ uri: 'loci://users/bob/profile' });
    expect(contents).toMatchObject([{ text: 'Nothing is known of "bob" yet.' }]);
    for (const uri of [
      'loci://users/%E0/profile',
      'loci://users//recent',
      'loci://else',
      'file:///etc/passwd',
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
  });
});

describe('prompts', () => {
  test('are filled with what is remembered', async () => {
    found();
    gateway.rpc.on(readProfile, () => ({ features: [FEATURE] }));
    const client = await clients.connect(ALICE);
    const { prompts } = await client.listPrompts();
    expect(
      prompts.map(({ name, arguments: given }) => [name, given?.map((one) => [one.name, one.required])]),
    ).toEqual([
      [
        'answer_from_memory',
        [
          ['question', true],
          ['user_id', false],
        ],
      ],
      ['review_memory', [['user_id', false]]],
    ]);
    const textOf = async (name: string, given: Record<string, string> = {}) => {
      const [message] = (await client.getPrompt({ name, arguments: given })).messages;
      return message?.content.type === 'text' ? message.content.text : '';
    };
    expect(await textOf('answer_from_memory', { question: 'Where to sit?' })).toMatch(
      /^Where to sit\?[\s\S]*Alice prefers window seats/,
    );
    expect(await textOf('review_memory')).toContain('[1] f-1');
  });

  test('say what is missing', async () => {
    const client = await clients.connect();
    await expect(client.getPrompt({ name: 'answer_from_memory' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'review_memory' })).rejects.toThrow('user_id');
    await expect(client.getPrompt({ name: 'else' })).rejects.toThrow('There is no prompt else.');
  });
});
