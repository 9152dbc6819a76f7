import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels, Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { Client, type Json, parse } from './harness/client.js';
import { ConfigClient } from './harness/config-client.js';

let loci: Loci;
let models: FakeModels;
let projects = 0;

beforeAll(async () => {
  [models, loci] = await Promise.all([
    FakeModels.start(),
    Loci.start({ env: { EGRESS_ALLOW_PRIVATE: 'true' } }),
  ]);
});

afterAll(async () => {
  await loci.destroy();
  await models.close();
});

const freshClient = (): Client =>
  new Client(loci.url, { org_id: 'acme', project_id: `moved-${(projects += 1)}` });

/** The lines of episodes; what is learned from them goes on meanwhile. */
const episodesOf = (lines: readonly Json[]): Json[] =>
  lines.filter(({ kind }) => kind === 'episode').map((line) => without(line, ['ingested']));

const address = (path: string, { project }: Client, more: Record<string, string> = {}): string =>
  `${loci.url}/api/v2/projects/${path}?${new URLSearchParams({ ...project, ...more }).toString()}`;

async function exported(client: Client, more: Record<string, string> = {}): Promise<Json[]> {
  const response = await fetch(address('export', client, more));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  return (await response.text()).trimEnd().split('\n').map(parse);
}

async function imported(client: Client, lines: readonly (Json | string)[]) {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const response = await fetch(address('import', client), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });
  const taken = response.headers.get('x-lines-taken');
  return { status: response.status, taken, body: parse(await response.text()) };
}

/** A project with 25 episodes of two kinds, some at the same time. */
async function filledProject(): Promise<Client> {
  const client = freshClient();
  await client.expect(201, '/projects', { description: 'to be moved' });
  const message = (n: number): object => ({
    content: `note ${n} with ünïcödé\n`,
    producer: `agent-${n % 3}`,
    produced_for: 'bob',
    role: 'user',
    timestamp: `2024-05-01T10:00:${String(n % 7).padStart(2, '0')}.123456Z`,
    metadata: { n: String(n) },
  });
  await client.expect(200, '/memories', {
    messages: Array.from({ length: 20 }, (_, n) => message(n)),
    types: ['episodic'],
  });
  await client.expect(200, '/memories', {
    messages: Array.from({ length: 5 }, (_, n) => message(n + 20)),
    types: ['semantic'],
  });
  return client;
}

/** Episodes without what differs between a project and its copy. */
const contentsOf = async (client: Client): Promise<object[]> =>
  (await client.listAll()).map((episode) => without({ ...episode }, ['uid', 'session_key']));

const without = (record: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** What list shows of every episode alike, and export leaves out. */
const SHOWN_BY_LIST_ONLY = ['session_key', 'sequence_num', 'content_type', 'episode_type'];

const manyKeys = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));

/** What each kind of line needs. */
const LINES: Readonly<Record<string, Json>> = {
  episode: { uid: '2', content: 'refused' },
  set_type: { tags: ['team'] },
  set: { tags: {} },
  category: { set: { tags: {} }, name: 'plans', prompt: 'What is planned.' },
  feature: { uid: '3', set: { tags: {} }, category: 'profile', tag: 't', feature_name: 'f', value: 'v' },
};

describe('an export', () => {
  test('has the project, every episode with all its fields in the order of list, and an end', async () => {
    const client = await filledProject();
    const [first, ...rest] = await exported(client);
    expect(first).toMatchObject({
      kind: 'project',
      format: 1,
      ...client.project,
      description: 'to be moved',
      config: expect.any(Object),
      episodic_memory: { enabled: true, long_term_memory_enabled: true, short_term_memory_enabled: true },
    });
    expect(rest.at(-1)).toEqual({ kind: 'end', episodes: 25, features: 0 });
    const listed = (await client.listAll()) as unknown as Json[];
    expect(episodesOf(rest)).toEqual(
      listed.map((episode) => ({
        ...without(episode, SHOWN_BY_LIST_ONLY),
        kind: 'episode',
        cursor: expect.any(String),
        types: [Number((episode['metadata'] as Json)['n']) < 20 ? 'episodic' : 'semantic'],
      })),
    );
  });

  test('goes on behind any line, with nothing missing and nothing twice', async () => {
    const client = await filledProject();
    const episodes = episodesOf(await exported(client));
    for (const index of [0, 7, 23, 24]) {
      const after = String(episodes[index]?.['cursor']);
      const rest = await exported(client, { after });
      expect(episodesOf(rest)).toEqual(episodes.slice(index + 1));
      expect(rest.at(-1)).toEqual({ kind: 'end', episodes: 24 - index, features: 0 });
    }
  });

  test('of many large episodes arrives whole, page by page', async () => {
    const client = freshClient();
    for (let n = 0; n < 5; n += 1)
      await client.add(Array.from({ length: 8 }, (_, k) => `${n}-${k} ${'x'.repeat(90_000)}`));
    const lines = await exported(client);
    expect(lines).toHaveLength(42);
    expect(new Set(lines.map(({ uid }) => uid)).size).toBe(41);
  });

  test('of a project that is not there is 404, and with a cursor that is none 422', async () => {
    expect((await fetch(address('export', freshClient()))).status).toBe(404);
    const answer = await fetch(address('export', freshClient(), { after: 'nonsense' }));
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ detail: [expect.objectContaining({ loc: ['query', 'after'] })] });
  });
});

describe('an import', () => {
  test('copies a project: the same episodes, found by search, under uids of their own', async () => {
    const source = await filledProject();
    const lines = await exported(source);
    const copy = freshClient();
    expect(await imported(copy, lines)).toEqual({
      status: 200,
      taken: '27',
      body: { lines: 27, added: 25, existing: 0, skipped: 0 },
    });
    expect(await contentsOf(copy)).toEqual(await contentsOf(source));
    expect(await copy.expect(200, '/projects/get', {})).toMatchObject({ description: 'to be moved' });
    await copy.disableShortTerm();
    await eventually(
      async () => (await copy.search('note 7')).longTerm.some(({ content }) => content.startsWith('note 7 ')),
      { what: 'the copy is found by search' },
    );
    const uids = new Set((await source.listAll()).map(({ uid }) => uid));
    expect((await copy.listAll()).filter(({ uid }) => uids.has(uid))).toEqual([]);
  });

  test('twice, and by two at once, changes nothing', async () => {
    const lines = await exported(await filledProject());
    const copy = freshClient();
    const outcomes = await Promise.all([imported(copy, lines), imported(copy, lines)]);
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200]);
    expect(outcomes.reduce((sum, { body }) => sum + Number(body['added']), 0)).toBe(25);
    const before = await copy.listAll();
    expect((await imported(copy, lines)).body).toMatchObject({ added: 0, existing: 25 });
    expect(await copy.listAll()).toEqual(before);
  });

  test('into the project that it came from changes nothing', async () => {
    const client = await filledProject();
    const before = await client.listAll();
    expect((await imported(client, await exported(client))).body).toMatchObject({ added: 0, existing: 25 });
    expect(await client.listAll()).toEqual(before);
  });

  test('of the lines of another tenant takes nothing from it and tells nothing of it', async () => {
    const victim = await filledProject();
    const lines = await exported(victim);
    const thief = new Client(loci.url, { org_id: 'globex', project_id: 'loot' });
    const known = await imported(thief, lines);
    const unheardOf = await imported(
      new Client(loci.url, { org_id: 'globex', project_id: 'invented' }),
      lines.map((line) => (line['uid'] === undefined ? line : { ...line, uid: crypto.randomUUID() })),
    );
    expect(known).toEqual(unheardOf);
    expect(await victim.count()).toBe(25);
  });

  test('broken in the middle has stored every line before, names the line, and can be repeated', async () => {
    const lines = await exported(await filledProject());
    const copy = freshClient();
    const broken = [...lines.slice(0, 11), '{"kind":"episode",', ...lines.slice(11)];
    expect(await imported(copy, broken)).toEqual({
      status: 422,
      taken: '11',
      body: { detail: [{ loc: ['body', 12, 18], msg: expect.any(String), type: 'json_invalid' }] },
    });
    expect(await copy.count()).toBe(10);
    const wrong = [...lines.slice(0, 3), { kind: 'episode', uid: 'x' }];
    expect((await imported(copy, wrong)).body).toEqual({
      detail: [{ loc: ['body', 4, 'content'], msg: 'Field required', type: 'missing' }],
    });
    expect((await imported(copy, lines)).body).toMatchObject({ added: 15, existing: 10 });
  });

  test('takes parts, ids of other systems, and leaves out what it does not know', async () => {
    const copy = freshClient();
    const lines = [
      { kind: 'episode', uid: '17', content: 'from elsewhere' },
      { kind: 'episode', uid: 'A', content: 'upper' },
      { kind: 'episode', uid: 'a', content: 'lower' },
      { kind: 'dream', of: 'sheep' },
      { ...LINES['feature'], kind: 'feature', by_client: false, citations: ['unheard of'] },
    ];
    expect((await imported(copy, lines)).body).toEqual({ lines: 5, added: 3, existing: 0, skipped: 2 });
    expect((await imported(copy, lines)).body).toEqual({ lines: 5, added: 0, existing: 3, skipped: 2 });
    expect((await copy.listAll()).map(({ content }) => content).sort()).toEqual([
      'from elsewhere',
      'lower',
      'upper',
    ]);
  });

  test.each<[string, Json, readonly string[], string]>([
    ['feature', { feature_name: 'x'.repeat(1_001) }, ['feature_name'], 'string_too_long'],
    ['feature', { category: '\u{20bb7}'.repeat(326) }, ['category'], 'string_too_long'],
    ['feature', { tag: '' }, ['tag'], 'string_too_short'],
    ['feature', { subject: '\u{20bb7}'.repeat(1_000) }, ['subject'], 'string_too_long'],
    ['feature', { value: 'x'.repeat(200_001) }, ['value'], 'string_too_long'],
    ['feature', { citations: Array.from({ length: 5_001 }, String) }, ['citations'], 'too_long'],
    ['feature', { metadata: manyKeys(1_001) }, ['metadata'], 'too_long'],
    ['feature', { set: { tags: manyKeys(65) } }, ['set', 'tags'], 'too_long'],
    ['set', { tags: { team: 'x'.repeat(8_193) } }, ['tags', 'team'], 'string_too_long'],
    ['set_type', { tags: Array.from({ length: 65 }, String) }, ['tags'], 'too_long'],
    ['set_type', { name: 'x'.repeat(1_001) }, ['name'], 'string_too_long'],
    ['category', { name: 'x'.repeat(1_001) }, ['name'], 'string_too_long'],
    ['category', { prompt: 'x'.repeat(200_001) }, ['prompt'], 'string_too_long'],
    ['episode', { producer_id: 'x'.repeat(1_001) }, ['producer_id'], 'string_too_long'],
    ['episode', { metadata: manyKeys(65) }, ['metadata'], 'too_long'],
  ])(
    'of a %s beyond what an add may say (%#) is 422 with its line, and stores nothing of it',
    async (kind, more, at, type) => {
      const copy = freshClient();
      const first = { kind: 'episode', uid: '1', content: 'stored' };
      const { status, taken, body } = await imported(copy, [first, { ...LINES[kind], kind, ...more }]);
      expect({ status, taken }).toEqual({ status: 422, taken: '1' });
      expect(body).toEqual({ detail: [{ loc: ['body', 2, ...at], msg: expect.any(String), type }] });
      expect(await copy.listAll()).toMatchObject([{ content: 'stored' }]);
      expect(await known(copy)).toEqual([]);
    },
  );

  test('takes as many citations and keys as one feature can have', async () => {
    const copy = freshClient();
    const [citations, metadata] = [Array.from({ length: 5_000 }, String), manyKeys(1_000)];
    const line = { ...LINES['feature'], kind: 'feature', citations, metadata };
    expect(await imported(copy, [line])).toMatchObject({ status: 200, body: { added: 1 } });
  });

  test('of JSON that is not lines is 415', async () => {
    const { project } = freshClient();
    const response = await fetch(address('import', freshClient()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(project),
    });
    expect(response.status).toBe(415);
  });
});

const SEMANTIC = '/memories/semantic';

/** For how long facts of one category hold: they arrive with it, and with the moment at which they expire. */
const YEARS = 1_000_000_000;

const MESSAGES = ['Good morning.', 'I paint.', 'On Sundays.', 'It calms me.', 'That is all.'];

interface WireFeature {
  readonly set_id: string;
  readonly metadata: { readonly id: string; readonly citations?: string[] };
}

const clientOf = (orgId: string): Client => new Client(loci.url, { org_id: orgId, project_id: randomUUID() });

/** How often the model was asked about the messages. */
const extractions = (): number =>
  models.calls('/chat/completions').filter(({ body }) => JSON.stringify(body).includes(MESSAGES[1] ?? ''))
    .length;

/** Lets messages be learned from. */
async function addModel(): Promise<void> {
  const config = new ConfigClient(loci.url);
  const settings = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
  await config.post('/resources/language_models', {
    name: 'gpt',
    provider: 'openai-chat-completions',
    config: settings,
  });
  await config.put('/memory/semantic', { llm_model: 'gpt' });
}

const setId = async (client: Client, isOrgLevel: boolean): Promise<string> =>
  (await client.expect(200, `${SEMANTIC}/set_id/get`, { metadata_tags: [], is_org_level: isOrgLevel }))[
    'set_id'
  ] as string;

async function known(client: Client, query?: string): Promise<readonly WireFeature[]> {
  const body = await (query === undefined
    ? client.expect(200, '/memories/list', { type: 'semantic' })
    : client.expect(200, '/memories/search', { query, types: ['semantic'] }));
  return (body['content'] as { semantic_memory: WireFeature[] }).semantic_memory;
}

/** Features as they are in any project: without ids, and citing what was said. */
async function knowledge(client: Client, query?: string): Promise<object[]> {
  const said = new Map((await client.listAll()).map(({ uid, content }): [string, string] => [uid, content]));
  return Promise.all(
    (await known(client, query)).map(async ({ set_id, metadata: { id }, ...content }) => {
      const got = await client.expect(200, `${SEMANTIC}/feature/get`, {
        feature_id: id,
        load_citations: true,
      });
      const { citations = [], other } = got['metadata'] as { citations?: string[]; other?: object };
      const kind = set_id.split('_org_')[0];
      return { ...content, kind, other, citations: citations.map((uid) => said.get(uid)) };
    }),
  );
}

/** What was arranged for learning, without ids. */
async function structure(client: Client): Promise<object> {
  const types = (await client.expect(200, `${SEMANTIC}/set_type/list`, {}))['set_types'] as { id: string }[];
  const templates = await Promise.all(
    types.map(async ({ id }) =>
      client.expect(200, `${SEMANTIC}/category/template/list`, { set_type_id: id }),
    ),
  );
  const anonymous = (record: object): object => without(record as Json, ['id', 'origin_id']);
  return {
    types: types.map(anonymous),
    templates: templates.map(({ categories }) => (categories as object[]).map(anonymous)),
  };
}

/** A project that learned something, was told something, and arranged how to learn. */
async function learnedProject(): Promise<Client> {
  const client = clientOf(randomUUID());
  await client.expect(201, '/projects', {});
  const [project, org] = [await setId(client, false), await setId(client, true)];
  const type = { metadata_tags: ['team'], is_org_level: true, name: 'Teams', description: 'by team' };
  const { set_type_id } = await client.expect(201, `${SEMANTIC}/set_type`, type);
  const template = { set_type_id, category_name: 'plans', prompt: 'What is planned.', description: 'plans' };
  const { category_id } = await client.expect(201, `${SEMANTIC}/category/template`, template);
  const tag = { category_id, tag_name: 'Dates', tag_description: 'When.' };
  await client.expect(201, `${SEMANTIC}/category/tag`, tag);
  const own = { set_id: project, category_name: 'taste', prompt: 'What is liked.', ttl_seconds: YEARS };
  await client.expect(201, `${SEMANTIC}/category`, own);
  await client.expect(204, `${SEMANTIC}/category/disable`, { set_id: org, category_name: 'profile' });
  await client.expect(204, `${SEMANTIC}/set/configure`, { set_id: project, llm_name: 'gpt' });
  models.reply(/HISTORY/, {
    commands: ['profile', 'taste'].map((category) => ({
      category,
      command: 'add',
      tag: 'Hobbies',
      feature: 'hobby',
      value: 'painting',
      messages: [2],
    })),
  });
  const uids = await client.add(MESSAGES);
  await eventually(async () => (await known(client)).length >= 2, {
    what: 'the messages are learned from',
  });
  const told = { set_id: project, category_name: 'taste', tag: 'Food', feature: 'dish', value: 'soup' };
  const more = { citations: uids.slice(0, 2), feature_metadata: { sure: 'yes' }, pinned: true };
  await client.expect(201, `${SEMANTIC}/feature`, { ...told, ...more });
  await settled(client);
  return client;
}

/** All that was heard is learned from. */
const settled = (client: Client): Promise<true> =>
  eventually(
    async () => {
      const { body } = await client.ask('GET', '/ingestion/jobs');
      const jobs = body as unknown as { state: string; waiting: number }[];
      return jobs.length > 0 && jobs.every(({ state, waiting }) => state === 'idle' && waiting === 0);
    },
    { what: 'nothing waits to be learned from' },
  );

/** Lines as they are in any project: without what it calls itself, and with what was said for the uids of episodes. */
/** What differs by nature between a project and its copy is left out; sets come in the order of their uids, which is one of it. */
function comparable(lines: readonly Json[]): object[] {
  const said = new Map(lines.map((line) => [line['uid'], line['content']]));
  const sets = lines.filter(({ kind }) => kind === 'set');
  const others = lines.filter(({ kind }) => kind !== 'set');
  sets.sort((a, b) => Number(a['is_org_level']) - Number(b['is_org_level']));
  return [...sets, ...others].map((line) => ({
    ...without(line, ['org_id', 'project_id', 'cursor', 'uid']),
    ...(Array.isArray(line['citations']) && { citations: line['citations'].map((uid) => said.get(uid)) }),
  }));
}

describe('semantic memory', () => {
  let source: Client;
  let lines: Json[];

  beforeAll(async () => {
    await addModel();
    source = await learnedProject();
    lines = await exported(source);
  });

  test('is written with what it rests on before what rests on it', () => {
    const kinds = lines.map(({ kind }) => kind as string);
    expect([...new Set(kinds)]).toEqual([
      ...['project', 'set_type', 'category_template', 'set', 'category', 'episode', 'feature', 'end'],
    ]);
    const features = kinds.filter((kind) => kind === 'feature').length;
    expect(lines.at(-1)).toEqual({ kind: 'end', episodes: MESSAGES.length, features });
  });

  test('goes on behind any line', async () => {
    for (const [index, { cursor }] of lines.entries()) {
      if (typeof cursor !== 'string') continue;
      const rest = await exported(source, { after: cursor });
      expect(rest.slice(1, -1)).toEqual(lines.slice(index + 1, -1));
    }
  });

  test('arrives with the project in another organization: lists, searches and citations are those of the original', async () => {
    const copy = clientOf(randomUUID());
    const before = extractions();
    const first = await imported(copy, lines);
    expect(first).toMatchObject({ status: 200, body: { added: lines.length - 2, existing: 0, skipped: 0 } });
    expect(await knowledge(copy)).toEqual(await knowledge(source));
    expect(await structure(copy)).toEqual(await structure(source));
    const [told] = (await knowledge(copy)).filter(
      (feature) => 'pinned' in feature && feature.pinned === true,
    );
    expect(told).toMatchObject({ value: 'soup', expires_at: expect.any(String) });
    expect(lines.filter(({ kind }) => kind === 'category')).toMatchObject([{ ttl_seconds: YEARS }]);
    for (const query of ['painting', 'which soup']) {
      await eventually(
        async () =>
          JSON.stringify(await knowledge(copy, query)) === JSON.stringify(await knowledge(source, query)),
        { what: 'searches answer the same' },
      );
    }
    await settled(copy);
    expect(extractions()).toBe(before);
    expect(comparable(await exported(copy))).toEqual(comparable(lines));

    const again = await imported(copy, lines);
    expect(again).toMatchObject({ status: 200, body: { added: 0, existing: lines.length - 2 } });
    expect(comparable(await exported(copy))).toEqual(comparable(lines));
  });

  test('arrives in another project of the organization without doubling what that shares', async () => {
    const copy = clientOf(source.project.org_id);
    await imported(copy, lines);
    const ofOrg = (features: readonly WireFeature[]): readonly string[] =>
      features.filter(({ set_id }) => set_id.startsWith('mem_set_type')).map(({ metadata }) => metadata.id);
    expect(ofOrg(await known(copy))).toEqual(ofOrg(await known(source)));
    expect((await known(copy)).length).toBe((await known(source)).length);
    expect((await imported(source, lines)).body).toMatchObject({ added: 0 });
  });

  test('is learned from where it was not: in sets that only the new home has', async () => {
    const copy = clientOf(randomUUID());
    const type = { metadata_tags: ['topic'], is_org_level: true };
    const { set_type_id } = await copy.expect(201, `${SEMANTIC}/set_type`, type);
    const template = { set_type_id, category_name: 'topics', prompt: 'What it is about.' };
    await copy.expect(201, `${SEMANTIC}/category/template`, template);
    const before = extractions();
    const tagged = lines.map((line) =>
      line['kind'] === 'episode' ? { ...line, metadata: { topic: 'art' } } : line,
    );
    await imported(copy, tagged);
    await eventually(() => extractions() > before, {
      what: 'the set of the new home learns',
    });
  });

  test('whose import is killed in the middle arrives whole when it is repeated', async () => {
    const copy = clientOf(randomUUID());
    const written = lines.map((line) => `${JSON.stringify(line)}\n`);
    const toFirstFeature = lines.findIndex(({ kind }) => kind === 'feature') + 1;
    const killed = fetch(address('import', copy), {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      duplex: 'half',
      body: new ReadableStream<Uint8Array>({
        start: (stream) => stream.enqueue(Buffer.from(written.slice(0, toFirstFeature).join(''))),
      }),
    });
    const failed = expect(killed).rejects.toThrow();
    await eventually(async () => (await copy.count()) === MESSAGES.length, { what: 'a part has arrived' });
    await loci.kill('gateway');
    await failed;
    await loci.ready();
    expect(await known(copy)).toEqual([]);
    expect((await imported(copy, lines)).status).toBe(200);
    expect(await knowledge(copy)).toEqual(await knowledge(source));
    expect(comparable(await exported(copy))).toEqual(comparable(lines));
  });
});
