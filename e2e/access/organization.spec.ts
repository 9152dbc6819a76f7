import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { type Answer, Client, type Json } from '../harness/client.js';
import { adminKeyOf, product } from './product.js';

const ORG = 'conglomerate';
const ONE = { org_id: ORG, project_id: 'one' };
const TWO = { org_id: ORG, project_id: 'two' };
const S = '/memories/semantic';
const SECRET = 'We will acquire the zeppelin works.';

interface Keys {
  /** Of the organization. */
  readonly admin: string;
  readonly writer: string;
  /** Of project one, with every scope. */
  readonly one: string;
  /** Of the organization, with every scope, and bound to a producer. */
  readonly bound: string;
}

/** What belongs to the organization as a whole. */
interface Belongings {
  readonly set: string;
  readonly setType: string;
  readonly template: string;
  readonly category: string;
  readonly tag: string;
  /** Features that rest on messages of project one, of project two, of both, and on none. */
  readonly ofOne: string;
  readonly ofTwo: string;
  readonly ofBoth: string;
  readonly ofNone: string;
}

let loci: Loci;
let keys: Keys;
let organization: Belongings;
/** Of the organization, by projects. */
let admin: Client;
let adminOfTwo: Client;
/** The key of project one. */
let one: Client;

const clientWith = (key: string, project = ONE, prefix: '/api/v2' | '/v2' = '/api/v2'): Client =>
  new Client(loci.url, project, { prefix, headers: { authorization: `Bearer ${key}` } });

const feature = (value: string, more: object = {}): object => ({
  category_name: 'facts',
  tag: 'Plans',
  feature: 'plan',
  value,
  ...more,
});

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
  organization = await furnish();
});

async function furnish(): Promise<Belongings> {
  const made = async (path: string, body: object, field: string, by = admin): Promise<string> => {
    const status = path === '/set_id/get' ? 200 : 201;
    return String((await by.expect(status, `${S}${path}`, body))[field]);
  };
  const [first] = await admin.add(['Said in project one.']);
  const [second] = await adminOfTwo.add([SECRET]);
  const type = { metadata_tags: ['team'], is_org_level: true, name: 'Teams' };
  const setType = await made('/set_type', type, 'set_type_id');
  const inherited = { set_type_id: setType, category_name: 'facts', prompt: 'p' };
  const template = await made('/category/template', inherited, 'category_id');
  const named = { ...type, set_metadata: { team: 'red' } };
  const set = await made('/set_id/get', named, 'set_id');
  const own = { set_id: set, category_name: 'more', prompt: 'p' };
  const category = await made('/category', own, 'category_id');
  const tagged = { category_id: category, tag_name: 't', tag_description: 'd' };
  const tag = await made('/category/tag', tagged, 'tag_id');
  const add = (value: string, citation: string | undefined, by: Client): Promise<string> =>
    made(
      '/feature',
      feature(value, { set_id: set, citations: citation ? [citation] : [] }),
      'feature_id',
      by,
    );
  const ofOne = await add('Project one plans a picnic.', first, admin);
  const ofTwo = await add(SECRET, second, adminOfTwo);
  const both = 'Both plan a party.';
  const ofBoth = await add(both, first, admin);
  expect(await add(both, second, adminOfTwo)).toBe(ofBoth);
  const ofNone = await add('The organization plans a merger.', undefined, admin);
  return { set, setType, template, category, tag, ofOne, ofTwo, ofBoth, ofNone };
}

const known = (body: Json): string[] =>
  (body['content'] as { semantic_memory: { value: string }[] }).semantic_memory.map(({ value }) => value);

const RED = { set_metadata: { team: 'red' } };

const search = async (by: Client, more: object = {}): Promise<string[]> =>
  known(await by.expect(200, '/memories/search', { query: 'plan', types: ['semantic'], ...RED, ...more }));

const list = async (by: Client, more: object = {}): Promise<string[]> =>
  known(await by.expect(200, '/memories/list', { type: 'semantic', ...RED, ...more }));

const OF_ONE = ['Project one plans a picnic.'];
const ALL = [...OF_ONE, SECRET, 'Both plan a party.', 'The organization plans a merger.'];

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

async function toolCall(key: string, name: string, given: object): Promise<Json> {
  const response = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { ...given, org_id: ORG, proj_id: 'one' } },
    }),
  });
  return (await response.json()) as Json;
}

/** Every operation on something of the organization, and what it answers where that does not exist. */
const OPERATIONS: readonly [path: string, body: (ids: Belongings) => object, missing: string][] = [
  ['/feature/get', ({ ofOne }) => ({ feature_id: ofOne }), 'feature_not_found'],
  ['/feature/get', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/feature/history', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/category/get', ({ category }) => ({ category_id: category }), 'category_not_found'],
  ['/category/get', ({ template }) => ({ category_id: template }), 'category_not_found'],
  ['/category/template/list', ({ setType }) => ({ set_type_id: setType }), 'set_type_not_found'],
  ['/changes/list', ({ set }) => ({ set_id: set }), 'set_not_found'],
  ['/set_id/get', () => ({ metadata_tags: [], is_org_level: true }), 'set_not_found'],
];

const CHANGES: typeof OPERATIONS = [
  ['/feature', ({ set }) => feature('planted', { set_id: set }), 'set_not_found'],
  ['/feature/update', ({ ofOne }) => ({ feature_id: ofOne, value: 'planted' }), 'feature_not_found'],
  ['/feature/undo', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
  ['/conflict/settle', ({ ofTwo }) => ({ feature_id: ofTwo }), 'feature_not_found'],
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
];

/** A bound key decides nothing that is learned, and changes nothing of the organization. */
const NOT_FOR_BOUND: unknown = expect.stringMatching(/^(forbidden|producer_not_allowed)$/);

describe.each(['/api/v2', '/v2'] as const)('below %s', (prefix) => {
  const send = (key: string, path: string, body: object): Promise<Answer> =>
    clientWith(key, ONE, prefix).post(`${S}${path}`, body);

  test.each([...OPERATIONS, ...CHANGES])(
    '%s of the organization: 404 for a key of one project, whatever its scopes',
    async (path, body, code) => {
      const answer = await send(keys.one, path, body(organization));
      expect(answer).toMatchObject({ status: 404, body: { code } });
    },
  );

  test.each(CHANGES)('%s of the organization takes the scope admin', async (path, body) => {
    const answer = await send(keys.writer, path, body(organization));
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test.each(CHANGES)(
    '%s of the organization takes a key that is bound to no producer, whomever the project trusts',
    async (path, body) => {
      const answer = await send(keys.bound, path, body(organization));
      expect(answer).toMatchObject({ status: 403, body: { code: NOT_FOR_BOUND } });
    },
  );

  test.each(OPERATIONS)('%s of the organization is read by a key of it', async (path, body) => {
    expect((await send(keys.writer, path, body(organization))).status).toBe(200);
  });
});

test('lists show a key of one project nothing of the organization', async () => {
  const names = async (by: Client): Promise<boolean[]> => {
    const { set_types } = await by.expect(200, `${S}/set_type/list`, {});
    const { sets } = await by.expect(200, `${S}/set_id/list`, {
      set_metadata: { team: 'x', producer_id: 'y' },
    });
    return [set_types, sets].map((some) => (some as Json[]).some(({ is_org_level }) => is_org_level));
  };
  expect(await names(admin)).toEqual([true, true]);
  expect(await names(one)).toEqual([false, false]);
  const sets = await one.expect(200, `${S}/category/set_ids/get`, { category_id: organization.category });
  expect(sets).toEqual({ set_ids: [] });
});

test.each(['/ingestion/jobs', '/ingestion/backlog', '/ingestion/usage', '/ingestion/dead-letters'])(
  '%s shows nothing of the organization to a key of one project',
  async (path) => {
    const answer = await one.ask('GET', path);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain('"is_org_level":true');
  },
);

describe('an export by a key of one project', () => {
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
  /** Of the structure and the features; a message names the sets that it was learned from for. */
  const ofOrganization = (lines: string): string[] =>
    lines.split('\n').filter((line) => line.includes('"is_org_level":true') && !line.includes('"ingested"'));

  test('has nothing of the organization, and can be read in again; that of another key cannot', async () => {
    const [own, whole] = [await linesBy(keys.one), await linesBy(keys.admin)];
    expect(ofOrganization(own)).toEqual([]);
    expect(ofOrganization(whole).length).toBeGreaterThan(3);
    expect(await put(keys.one, own)).toMatchObject({ status: 200, body: { added: 0 } });
    expect(await put(keys.one, whole)).toMatchObject({ status: 404, body: { code: 'set_not_found' } });
    expect(await put(keys.writer, whole)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    // its messages are of other producers, so that it is refused before
    expect((await put(keys.bound, whole)).status).toBe(403);
    expect((await put(keys.admin, whole)).status).toBe(200);
  });
});

test('a feature of the organization is not deleted by the tool of MCP', async () => {
  const given = { semantic_memory_uids: [organization.ofOne] };
  expect(await toolCall(keys.one, 'delete_memory', given)).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('"memory_not_found"') }] },
  });
  // a key that speaks for one producer finds nothing that is not of this user
  for (const [key, code] of [
    [keys.writer, '"forbidden"'],
    [keys.bound, '"memory_not_found"'],
  ] as const) {
    expect(await toolCall(key, 'delete_memory', given)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining(code) }] },
    });
  }
});

test('after all of this the organization has what it had', async () => {
  expect(await list(admin)).toEqual(ALL);
  const { categories } = await admin.expect(200, `${S}/category/template/list`, {
    set_type_id: organization.setType,
  });
  expect((categories as Json[]).map(({ name }) => name)).toEqual(['facts']);
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
