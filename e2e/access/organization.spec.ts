import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { ApiDocument, type Operation } from '../harness/api-document.js';
import { type Answer, Client, type Json, parse } from '../harness/client.js';
import { type Belongings, feature, furnish, S, SECRET, ZOE } from './belongings.js';
import { adminKeyOf, product } from './product.js';
import { scribe, SCRIBE } from './scribe.js';

const ORG = 'conglomerate';
const ONE = { org_id: ORG, project_id: 'one' };
const TWO = { org_id: ORG, project_id: 'two' };

interface Keys {
  /** Of the organization. */
  readonly admin: string;
  readonly writer: string;
  /** Of project one, with every scope. */
  readonly one: string;
  /** Of the organization, with every scope, and bound to a producer. */
  readonly bound: string;
}

const PREFIXES = ['/api/v2', '/v2'] as const;
type Prefix = (typeof PREFIXES)[number];
const RED = { set_metadata: { team: 'red' } };

/** Names of tests to which `ELSEWHERE` refers. */
const EXPORT = 'an export by a key of one project';
const INDEX = 'the index shows a key of one project the features of its own sets alone';
const BACKLOG = 'the backlog shows a key of one project nothing of the organization';
const REPLAY = 'a replay of all dead letters leaves those of the organization to its administrators';

let loci: Loci;
let keys: Keys;
let organization: Belongings;
/** Of the organization, by projects. */
let admin: Client;
let adminOfTwo: Client;
/** The key of project one. */
let one: Client;

const clientWith = (key: string, project = ONE, prefix: Prefix = '/api/v2'): Client =>
  new Client(loci.url, project, { prefix, headers: { authorization: `Bearer ${key}` } });

beforeAll(async () => {
  loci = await product();
  const root = clientWith(await adminKeyOf(loci));
  const keyFor = async (
    project_id: string | null,
    scopes: readonly string[],
    producer: string | null = null,
  ): Promise<string> => {
    const wanted = { org_id: ORG, project_id, name: 'a key', scopes, producer };
    return String((await root.expect(201, '/keys', wanted))['secret']);
  };
  keys = {
    admin: await keyFor(null, ['admin']),
    writer: await keyFor(null, ['read', 'write']),
    one: await keyFor(ONE.project_id, ['read', 'write', 'admin']),
    bound: await keyFor(null, ['admin'], 'mallory'),
  };
  [admin, adminOfTwo, one] = [clientWith(keys.admin), clientWith(keys.admin, TWO), clientWith(keys.one)];
  organization = await furnish({ admin, adminOfTwo }, loci, await scribe());
});

const known = (body: Json): string[] =>
  (body['content'] as { semantic_memory: { value: string }[] }).semantic_memory.map(({ value }) => value);

const search = async (by: Client, more: object = {}): Promise<string[]> =>
  known(await by.expect(200, '/memories/search', { query: 'plan', types: ['semantic'], ...RED, ...more }));

const list = async (by: Client, more: object = {}): Promise<string[]> =>
  known(await by.expect(200, '/memories/list', { type: 'semantic', ...RED, ...more }));

const OF_ONE = ['Project one plans a picnic.'];
const ALL = [...OF_ONE, SECRET, 'Both plan a party.', 'The organization plans a merger.'];

test('a key of one project that asks for something of the organization is told what to send instead', async () => {
  const wanted = { metadata_tags: [], is_org_level: true };
  for (const path of ['/set_type', '/set_id/get']) {
    const { status, body } = await one.post(`${S}${path}`, wanted);
    expect({ status, detail: body['detail'] }).toEqual({
      status: 404,
      detail: expect.stringMatching(/^For a key of one project .* send is_org_level as false/),
    });
  }
});

describe('a search by a key of one project, in sets of the organization', () => {
  test('finds what its own project alone has put there; a key of the organization finds all', async () => {
    expect([...(await search(admin))].sort()).toEqual([...ALL].sort());
    expect(await search(one)).toEqual(OF_ONE);
    expect(await search(one, { top_k: 1 })).toEqual(OF_ONE);
    expect(await list(admin)).toEqual(ALL);
    expect(await list(one)).toEqual(OF_ONE);
    expect(await list(one, { page_size: 1, page_num: 1 })).toEqual([]);
  });

  test('also below the hosted prefix, and by the tool of MCP', async () => {
    expect(await search(clientWith(keys.one, ONE, '/v2'))).toEqual(OF_ONE);
    expect(await list(clientWith(keys.one, TWO, '/v2'))).toEqual(OF_ONE);
    expect(JSON.stringify(await toolCall(keys.one, 'search_memory', { query: 'zeppelin' }))).not.toContain(
      SECRET,
    );
  });

  test.each([
    "category_name = 'facts'",
    "NOT category_name = 'nothing'",
    `set_id = 'x' OR NOT set_id = 'x'`,
    "feature_name = 'plan' OR producer_id = 'user'",
    `uid IN ('{ofTwo}', '{ofBoth}', '{ofNone}', '{ofOne}')`,
    "session_key = 'conglomerate/two' OR session_key IS NULL",
  ])('whatever the filter: %s', async (template) => {
    const filter = template.replace(/\{(\w+)\}/g, (_, name: keyof Belongings) => organization[name]);
    for (const found of [await search(one, { filter }), await list(one, { filter })]) {
      expect(OF_ONE).toEqual(expect.arrayContaining(found));
    }
  });
});

async function rpc(key: string, method: string, params: object): Promise<Json> {
  const response = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Json;
}

const toolCall = (key: string, name: string, given: object): Promise<Json> =>
  rpc(key, 'tools/call', { name, arguments: { ...given, org_id: ORG, proj_id: 'one' } });

/** An operation by its method and its path below the prefix; `POST /memories/semantic` is left out. */
type Row = readonly [operation: string, given: (ids: Belongings) => object, expected: string];

const PREVIEWED = { category_name: 'facts', prompt: 'p', messages: [{ content: 'The airship leaves.' }] };

/** Every operation that reads something of the organization by its id, and what it answers where that does not exist. */
const OPERATIONS: readonly Row[] = [
  ['/feature/get', ({ ofOne }) => ({ feature_id: ofOne }), 'feature_not_found'],
  ['/feature/get', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/feature/history', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/category/get', ({ category }) => ({ category_id: category }), 'category_not_found'],
  ['/category/get', ({ template }) => ({ category_id: template }), 'category_not_found'],
  ['/category/template/list', ({ setType }) => ({ set_type_id: setType }), 'set_type_not_found'],
  ['/changes/list', ({ set }) => ({ set_id: set }), 'set_not_found'],
  ['/set_id/get', () => ({ metadata_tags: [], is_org_level: true }), 'set_not_found'],
  ['/proposal/list', ({ setOfZoe }) => ({ set_id: setOfZoe }), 'set_not_found'],
  ['/conflict/list', ({ setOfZoe }) => ({ set_id: setOfZoe }), 'set_not_found'],
  ['GET /ingestion/calls/{id}', ({ call }) => ({ id: call }), 'model_call_not_found'],
  ['GET /ingestion/dead-letters/{id}', ({ letter }) => ({ id: letter }), 'dead_letter_not_found'],
  ['POST /ingestion/preview', ({ setOfZoe }) => ({ set_id: setOfZoe, ...PREVIEWED }), 'set_not_found'],
];

/** Every operation that changes something of the organization. */
const CHANGES: readonly Row[] = [
  ['/feature', ({ set }) => feature('planted', { set_id: set }), 'set_not_found'],
  ['/feature/update', ({ ofOne }) => ({ feature_id: ofOne, value: 'planted' }), 'feature_not_found'],
  ['/feature/undo', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/conflict/settle', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/conflict/settle', ({ conflict }) => ({ feature_id: conflict }), 'feature_not_found'],
  ['/proposal/accept', ({ proposal }) => ({ proposal_id: proposal }), 'proposal_not_found'],
  ['/proposal/reject', ({ proposal }) => ({ proposal_id: proposal }), 'proposal_not_found'],
  ['/delete', ({ ofTwo }) => ({ semantic_id: ofTwo }), 'memory_not_found'],
  ['/changes/undo', ({ set }) => ({ set_id: set, change_ids: ['x'] }), 'set_not_found'],
  ['/set_type', () => ({ metadata_tags: ['planted'], is_org_level: true }), 'set_type_not_found'],
  ['/set_type/delete', ({ setType }) => ({ set_type_id: setType }), 'set_type_not_found'],
  ['/set/configure', ({ set }) => ({ set_id: set, embedder_name: 'local' }), 'set_not_found'],
  ['/category', ({ set }) => ({ set_id: set, category_name: 'x', prompt: 'p' }), 'set_not_found'],
  ['/category/disable', ({ set }) => ({ set_id: set, category_name: 'facts' }), 'set_not_found'],
  ['/category/update', ({ category }) => ({ category_id: category, ttl_seconds: 1 }), 'category_not_found'],
  ['/category/delete', ({ category }) => ({ category_id: category }), 'category_not_found'],
  ['/category/delete', ({ template }) => ({ category_id: template }), 'category_not_found'],
  [
    '/category/tag',
    ({ category }) => ({ category_id: category, tag_name: 'x', tag_description: 'd' }),
    'category_not_found',
  ],
  ['/category/tag/delete', ({ tag }) => ({ tag_id: tag }), 'tag_not_found'],
  [
    '/category/template',
    ({ setType }) => ({ set_type_id: setType, category_name: 'x', prompt: 'p' }),
    'set_type_not_found',
  ],
  ['POST /ingestion/dead-letters/{id}/replay', ({ letter }) => ({ id: letter }), 'dead_letter_not_found'],
  ['DELETE /ingestion/dead-letters/{id}', ({ letter }) => ({ id: letter }), 'dead_letter_not_found'],
];

const OF_ZOE = { user: ZOE, query: 'Where is the base?' };

/** Every operation that shows what there is, and what a key of the organization sees there. */
const LISTS: readonly (readonly [
  operation: string,
  given: (ids: Belongings) => object,
  seen: (ids: Belongings) => string,
])[] = [
  ['POST /memories/search', () => ({ query: 'plan', types: ['semantic'], ...RED }), () => SECRET],
  ['POST /memories/list', () => ({ type: 'semantic', ...RED }), () => SECRET],
  ['POST /context', () => OF_ZOE, () => 'the zeppelin field'],
  ['POST /profile', () => OF_ZOE, () => 'the zeppelin field'],
  ['POST /recall', () => OF_ZOE, () => 'the zeppelin field'],
  ['/set_type/list', () => ({}), ({ setType }) => setType],
  ['/set_id/list', () => ({ set_metadata: { team: 'red' } }), ({ set }) => set],
  ['/category/set_ids/get', ({ category }) => ({ category_id: category }), ({ set }) => set],
  ['/proposal/list', () => ({}), ({ proposal }) => proposal],
  ['/conflict/list', () => ({}), ({ conflict }) => conflict],
  ['GET /ingestion/jobs', () => ({}), ({ setOfZoe }) => setOfZoe],
  ['GET /ingestion/usage', () => ({}), () => SCRIBE],
  ['GET /ingestion/dead-letters', () => ({}), ({ letter }) => letter],
  ['GET /ingestion/calls', () => ({}), ({ call }) => call],
];

/** What no row fits, and the test that is about it instead. */
const ELSEWHERE: readonly (readonly [operation: string, does: 'read' | 'change', test: string])[] = [
  ['GET /projects/export', 'read', EXPORT],
  ['POST /projects/import', 'change', EXPORT],
  ['GET /projects/index', 'read', INDEX],
  // what waits does not wait for long
  ['GET /ingestion/backlog', 'read', BACKLOG],
  ['POST /ingestion/dead-letters/replay', 'change', REPLAY],
];

/** With its method and its whole path below the prefix. */
const fullName = (operation: string): string =>
  operation.startsWith('/') ? `POST ${S}${operation}` : operation;

const isHosted = (operation: string): boolean => !/ \/(?:ingestion|projects)\//.test(fullName(operation));

/** Asks for an operation of a row; what its path does not name is in the body, or in the query. */
function ask(by: Client, operation: string, given: object): Promise<Answer> {
  const { id = '', ...fields } = given as Record<string, string>;
  const [method = '', path = ''] = fullName(operation).replace('{id}', id).split(' ');
  return method === 'POST' ? by.post(path, fields) : by.ask(method as 'GET' | 'DELETE', path, fields);
}

test('every operation on something of the organization is tested, as what the API document says that it is', async () => {
  const { operations } = await ApiDocument.read(loci.url);
  const documented = (does: 'read' | 'change'): string[] =>
    operations
      .filter((operation) => effectOf(operation) === does)
      .map(({ method, path }) => `${method} ${path}`);
  const tested = (does: 'read' | 'change'): string[] => {
    const rows = does === 'change' ? CHANGES : [...OPERATIONS, ...LISTS];
    const named = [...rows, ...ELSEWHERE.filter(([, itDoes]) => itDoes === does)].map(
      ([operation]) => operation,
    );
    const inBoth = [...new Set(named)].flatMap((operation) =>
      PREFIXES.filter((prefix) => prefix === '/api/v2' || isHosted(operation)).map((prefix) =>
        fullName(operation).replace(' ', ` ${prefix}`),
      ),
    );
    return inBoth.sort();
  };
  expect(tested('read')).toEqual(documented('read').sort());
  expect(tested('change')).toEqual(documented('change').sort());
});

/** Only what changes something of the organization takes `admin` for it. */
const effectOf = ({ 'x-access': { organization: needed } }: Operation): 'read' | 'change' | undefined =>
  needed && (needed === 'admin' ? 'change' : 'read');

/** A bound key decides nothing that is learned, and changes nothing of the organization. */
const NOT_FOR_BOUND: unknown = expect.stringMatching(/^(forbidden|producer_not_allowed)$/);

describe.each(PREFIXES)('below %s', (prefix) => {
  const send = (key: string, operation: string, given: object): Promise<Answer> =>
    ask(clientWith(key, ONE, prefix), operation, given);
  const here = <Some extends readonly [string, ...unknown[]]>(rows: readonly Some[]): readonly Some[] =>
    rows.filter(([operation]) => prefix === '/api/v2' || isHosted(operation));

  test.each(here([...OPERATIONS, ...CHANGES]))(
    '%s of the organization: 404 for a key of one project, whatever its scopes',
    async (operation, given, code) => {
      const answer = await send(keys.one, operation, given(organization));
      expect(answer).toMatchObject({ status: 404, body: { code } });
    },
  );

  test.each(here(CHANGES))('%s of the organization takes the scope admin', async (operation, given) => {
    const answer = await send(keys.writer, operation, given(organization));
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test.each(here(CHANGES))(
    '%s of the organization takes a key that is bound to no producer, whomever the project trusts',
    async (operation, given) => {
      const answer = await send(keys.bound, operation, given(organization));
      expect(answer).toMatchObject({ status: 403, body: { code: NOT_FOR_BOUND } });
    },
  );

  test.each(here(OPERATIONS))('%s of the organization is read by a key of it', async (operation, given) => {
    expect((await send(keys.writer, operation, given(organization))).status).toBe(200);
  });

  test.each(here(LISTS))(
    '%s shows what is of the organization to a key of it, and not to one of a project',
    async (operation, given, seen) => {
      for (const [key, isShown] of [
        [keys.writer, true],
        [keys.one, false],
      ] as const) {
        const { status, body } = await send(key, operation, given(organization));
        const text = JSON.stringify(body);
        expect([status, text.includes(seen(organization)), isShown || !/zeppelin/.test(text)]).toEqual([
          200,
          isShown,
          true,
        ]);
        if (!isShown) expect(text).not.toContain('"is_org_level":true');
      }
    },
  );
});

test(INDEX, async () => {
  const features = async (by: Client): Promise<unknown> =>
    ((await by.ask('GET', '/projects/index')).body['features'] as Json)['features'];
  expect(await features(admin)).toBeGreaterThan(4);
  expect(await features(one)).toBe(0);
});

test(BACKLOG, async () => {
  const { status, body } = await one.ask('GET', '/ingestion/backlog');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain('"is_org_level":true');
});

test(REPLAY, async () => {
  for (const key of [keys.one, keys.writer]) {
    expect(await ask(clientWith(key), 'POST /ingestion/dead-letters/replay', {})).toMatchObject({
      status: 200,
      body: { replayed: 0 },
    });
  }
  const bound = await ask(clientWith(keys.bound), 'POST /ingestion/dead-letters/replay', {});
  expect(bound.body['replayed'] ?? 0).toBe(0);
  expect((await ask(admin, 'GET /ingestion/dead-letters/{id}', { id: organization.letter })).status).toBe(
    200,
  );
});

describe(EXPORT, () => {
  const linesBy = async (key: string): Promise<string> => {
    const query = new URLSearchParams(ONE).toString();
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${loci.url}/api/v2/projects/export?${query}`, { headers })).text();
  };
  const put = async (key: string, body: string): Promise<{ status: number; body: Json }> => {
    const answer = await fetch(`${loci.url}/api/v2/projects/import?${new URLSearchParams(ONE).toString()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  /** Structure and features, and messages that sets of the organization have learned from. */
  const ofOrganization = (lines: string): string[] =>
    lines.split('\n').filter((line) => line.includes('"is_org_level":true'));

  test('has nothing of the organization, and can be read in again; that of another key cannot', async () => {
    const [own, whole] = [await linesBy(keys.one), await linesBy(keys.admin)];
    expect(ofOrganization(own)).toEqual([]);
    expect(ofOrganization(whole).length).toBeGreaterThan(3);
    expect(ofOrganization(whole).join()).toContain('"ingested":');
    expect(await put(keys.one, own)).toMatchObject({ status: 200, body: { added: 0 } });
    expect(await put(keys.one, whole)).toMatchObject({ status: 404, body: { code: 'set_not_found' } });
    expect(await put(keys.writer, whole)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    // its messages are of other producers, so that it is refused before
    expect((await put(keys.bound, whole)).status).toBe(403);
    expect((await put(keys.admin, whole)).status).toBe(200);
  });
});

/** Every tool of MCP on something of the organization: what it is given, and what it is about. */
const TOOLS: Readonly<Record<string, readonly [given: (ids: Belongings) => object, about: RegExp]>> = {
  search_memory: [() => ({ user_id: ZOE, query: 'Where is the base?' }), /zeppelin/],
  get_context: [() => ({ user_id: ZOE, query: 'Where is the base?' }), /zeppelin/],
  list_memories: [() => ({ user_id: ZOE }), /zeppelin/],
  list_conflicts: [() => ({}), /zeppelin/],
  correct_memory: [({ ofOne: id }) => ({ semantic_memory_uid: id, value: 'planted' }), /feature_not_found/],
  settle_conflict: [({ conflict: id }) => ({ semantic_memory_uid: id }), /feature_not_found/],
  delete_memory: [({ ofOne: id }) => ({ semantic_memory_uids: [id] }), /memory_not_found/],
};

/** What they answer. */
async function answerOf(key: string, tool: string): Promise<{ isError: boolean; text: string }> {
  const [given] = TOOLS[tool] ?? [];
  if (!given) throw new Error(`There is no row for ${tool}.`);
  const { isError = false, content } = (await toolCall(key, tool, given(organization)))['result'] as {
    isError?: boolean;
    content: readonly { text: string }[];
  };
  return { isError, text: content[0]?.text ?? '' };
}

describe('the tools of MCP', () => {
  const READING = ['search_memory', 'get_context', 'list_memories', 'list_conflicts'];
  const CHANGING = ['correct_memory', 'settle_conflict', 'delete_memory'];

  test('are all tested but for the one that adds messages', async () => {
    const { result } = await rpc(keys.admin, 'tools/list', {});
    const names = (result as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);
    expect(names.sort()).toEqual(['add_memory', ...READING, ...CHANGING].sort());
    expect(Object.keys(TOOLS).sort()).toEqual([...READING, ...CHANGING].sort());
  });

  test.each(READING)('%s shows what is of the organization to a key of it alone', async (tool) => {
    const about = TOOLS[tool]?.[1];
    const [whole, own] = [await answerOf(keys.writer, tool), await answerOf(keys.one, tool)];
    expect([whole.isError, own.isError]).toEqual([false, false]);
    expect(whole.text).toMatch(about ?? '');
    expect(own.text).not.toMatch(about ?? '');
  });

  test.each(CHANGING)('%s finds nothing of the organization for a key of one project', async (tool) => {
    const about = TOOLS[tool]?.[1];
    const own = await answerOf(keys.one, tool);
    expect(own.isError).toBe(true);
    expect(own.text).toMatch(about ?? '');
  });

  test.each(CHANGING)('%s takes the scope admin, of a key that is bound to no producer', async (tool) => {
    const { text } = await answerOf(keys.writer, tool);
    expect(parse(text)).toMatchObject({ status: 403, code: 'forbidden' });
    const bound = await answerOf(keys.bound, tool);
    expect(bound.isError).toBe(true);
    // a key that speaks for one producer finds nothing that is not of this user
    expect(bound.text).toMatch(/_not_found|producer_not_allowed|forbidden/);
  });
});

test('after all of this the organization has what it had', async () => {
  expect(await list(admin)).toEqual(ALL);
  const { categories } = await admin.expect(200, `${S}/category/template/list`, {
    set_type_id: organization.setType,
  });
  expect((categories as Json[]).map(({ name }) => name)).toEqual(['facts']);
  for (const [operation, given, seen] of LISTS) {
    const { body } = await ask(admin, operation, given(organization));
    expect([operation, JSON.stringify(body).includes(seen(organization))]).toEqual([operation, true]);
  }
});

test('a key of one project with the scope admin deletes its project, one that writes does not', async () => {
  const doomed = { org_id: ORG, project_id: 'doomed' };
  const keyed = async (scopes: readonly string[]): Promise<Client> => {
    const wanted = { ...doomed, name: 'a key', scopes };
    return clientWith(String((await admin.expect(201, '/keys', wanted))['secret']), doomed);
  };
  const [writer, owner] = [await keyed(['read', 'write']), await keyed(['admin'])];
  await writer.add(['Still here.']);
  await writer.expect(403, '/projects/delete', {});
  expect(await writer.count()).toBe(1);
  await owner.expect(204, '/projects/delete', {});
});

test('below the hosted prefix a project is deleted by its own name only', async () => {
  const precious = { org_id: ORG, project_id: 'precious' };
  const wanted = { ...precious, name: 'a key', scopes: ['admin'] };
  const secret = String((await admin.expect(201, '/keys', wanted))['secret']);
  await clientWith(secret, precious).add(['Precious.']);
  const hosted = (project_id: string): Client => clientWith(secret, { org_id: ORG, project_id }, '/v2');
  await hosted('scratch').expect(404, '/projects/delete', {});
  expect(await hosted('scratch').count()).toBe(1);
  await hosted('precious').expect(204, '/projects/delete', {});
});
