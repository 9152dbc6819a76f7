import { beforeAll, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { Client, type Json } from '../harness/client.js';
import { product } from './product.js';

let loci: Loci;
let client: Client;
let neighbour: Client;

beforeAll(async () => {
  loci = await product();
  client = new Client(loci.url, { org_id: 'acme', project_id: 'main' });
  neighbour = new Client(loci.url, { org_id: 'acme', project_id: 'next' });
  await client.add(['hello']);
  await neighbour.add(['hello']);
});

const PROJECT_SET = 'mem_project_set_org_acme_project_main_0_46b9dd2b0ba8__';
const ORG_SET = 'mem_set_type_org_acme_0_46b9dd2b0ba8__';

const S = '/memories/semantic';

interface WireFeature {
  readonly set_id: string;
  readonly value: string;
  readonly score?: number;
  readonly pinned?: true;
  readonly metadata: { readonly id: string; readonly citations?: string[]; readonly other?: object };
}

async function add(value: string, options: object = {}, by = client): Promise<string> {
  const body = {
    set_id: PROJECT_SET,
    category_name: 'profile',
    tag: 'Diet',
    feature: 'dish',
    value,
    ...options,
  };
  return (await by.expect(201, `${S}/feature`, body))['feature_id'] as string;
}

const features = (body: Json): WireFeature[] =>
  (body['content'] as { semantic_memory: WireFeature[] }).semantic_memory;

const search = async (query: string, options: object = {}, by = client): Promise<WireFeature[]> =>
  features(await by.expect(200, '/memories/search', { query, types: ['semantic'], ...options }));

const list = async (options: object = {}, by = client): Promise<WireFeature[]> =>
  features(await by.expect(200, '/memories/list', { type: 'semantic', ...options }));

const values = (found: readonly WireFeature[]): string[] => found.map(({ value }) => value);

const code = async (path: string, body: object, by = client): Promise<unknown> => {
  const answer = await by.post(path, body);
  return [answer.status, answer.body['code'] ?? (answer.body['detail'] as { type: string }[])[0]?.type];
};

const MISSING = '01939000-0000-7000-8000-000000000000';

test('a feature that was added is found by the next search, and reads back as it was written', async () => {
  const id = await add('She is fond of aubergine curry', { feature_metadata: { sure: true, n: 5 } });
  expect(values(await search('aubergine curry'))[0]).toBe('She is fond of aubergine curry');
  expect(await client.expect(200, `${S}/feature/get`, { feature_id: id })).toEqual({
    set_id: PROJECT_SET,
    category: 'profile',
    tag: 'Diet',
    feature_name: 'dish',
    value: 'She is fond of aubergine curry',
    metadata: { id, other: { sure: 'true', n: '5' } },
    trust: 'protected',
    origin: { kind: 'client' },
    recorded_at: expect.any(String),
  });
  await client.expect(204, `${S}/feature/update`, { feature_id: id, value: 'She prefers ramen now' });
  expect(values(await search('ramen'))[0]).toBe('She prefers ramen now');
  expect(values(await list())).not.toContain('She is fond of aubergine curry');
});

test('hits of all sets are ranked together by a score, and a threshold cuts what hardly fits', async () => {
  const cheese = new Client(loci.url, { org_id: 'cheese', project_id: 'main' });
  const set_id = 'mem_set_type_org_cheese_0_46b9dd2b0ba8__';
  await cheese.expect(201, `${S}/category`, { set_id, category_name: 'meetings', prompt: 'Any.' });
  await add('All meet for a cheese fondue', { set_id, category_name: 'meetings' }, cheese);
  const ofProject = { set_id: 'mem_project_set_org_cheese_project_main_0_46b9dd2b0ba8__' };
  await add('Rye bread', ofProject, cheese);
  await add('Brings the bread to a fondue', ofProject, cheese);
  const found = await eventually(
    async () => {
      const hits = await search('cheese fondue', {}, cheese);
      return hits.length === 3 && hits;
    },
    { what: 'each is found, which takes its vector where it shares no word' },
  );
  expect(values(found)).toEqual([
    'All meet for a cheese fondue',
    'Brings the bread to a fondue',
    'Rye bread',
  ]);
  const scores = found.map(({ score = 0 }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const best = await search('cheese fondue', { score_threshold: scores[0] }, cheese);
  expect(values(best)).toEqual(['All meet for a cheese fondue']);
  for (const query of ['zxqv blorf wug', 'How do volcanoes form?']) {
    expect([query, await search(query, { score_threshold: 0.9 }, cheese)]).toEqual([query, []]);
  }
  expect((await list({}, cheese))[0]).not.toHaveProperty('score');
});

test('a pinned feature comes first where that is asked for, until its pin is taken away', async () => {
  const pinning = new Client(loci.url, { org_id: 'pinning', project_id: 'main' });
  const set_id = 'mem_project_set_org_pinning_project_main_0_46b9dd2b0ba8__';
  const id = await add('Is afraid of spiders', { set_id, pinned: true }, pinning);
  await add('Eats cheese fondue', { set_id }, pinning);
  await add('Eats raclette', { set_id }, pinning);
  const found = (options: object): Promise<string[]> =>
    search('cheese fondue', options, pinning).then(values);
  expect((await found({}))[0]).toBe('Eats cheese fondue');
  const first = await search('cheese fondue', { pinned_first: true, score_threshold: 0.5 }, pinning);
  expect(values(first)).toEqual(['Is afraid of spiders', 'Eats cheese fondue']);
  expect(first.map(({ pinned }) => pinned)).toEqual([true, undefined]);
  expect(await found({ pinned_first: true, top_k: 1 })).toEqual(['Is afraid of spiders']);
  const filter = "value = 'Eats raclette'";
  expect(await found({ pinned_first: true, filter })).toEqual(['Eats raclette']);
  const { text } = await pinning.expect(200, '/context', {
    query: 'cheese fondue',
    max_tokens: 40,
    pinned_first: true,
  });
  expect(text).toContain('Is afraid of spiders');

  await pinning.expect(204, `${S}/feature/update`, { feature_id: id, value: 'Likes spiders' });
  const raclette = values(await list({ pinned_first: true }, pinning));
  expect(raclette).toEqual(['Likes spiders', 'Eats cheese fondue', 'Eats raclette']);
  await pinning.expect(204, `${S}/feature/update`, { feature_id: id, pinned: false });
  expect((await found({ pinned_first: true }))[0]).toBe('Eats cheese fondue');
  const { changes } = await pinning.expect(200, `${S}/feature/history`, { feature_id: id });
  expect(changes).toHaveLength(2);
  const cursor = { type: 'semantic', cursor: '', pinned_first: true };
  expect((await pinning.post('/memories/list', cursor)).status).toBe(422);
});

test('a fact of a category with a time to live expires, and can still be listed', async () => {
  const moods = new Client(loci.url, { org_id: 'moods', project_id: 'main' });
  const set_id = 'mem_project_set_org_moods_project_main_0_46b9dd2b0ba8__';
  const category = { set_id, category_name: 'mood', prompt: 'Moods.' };
  for (const ttl_seconds of [0, -1, 1.5, 'long', 2_000_000_001]) {
    expect((await moods.post(`${S}/category`, { ...category, ttl_seconds })).status).toBe(422);
  }
  const { category_id } = await moods.expect(201, `${S}/category`, { ...category, ttl_seconds: 1 });
  expect(await moods.expect(200, `${S}/category/get`, { category_id })).toMatchObject({ ttl_seconds: 1 });
  const id = await add('Is tired of fondue', { set_id, category_name: 'mood' }, moods);
  await add('Likes fondue', { set_id }, moods);
  await eventually(async () => (await search('tired of fondue', {}, moods)).length === 1, {
    what: 'the mood expired',
  });
  expect(values(await list({}, moods))).toEqual(['Likes fondue']);
  expect((await moods.expect(200, '/context', { query: 'tired' }))['text']).not.toContain('tired');
  const expired = { validity: 'expired' };
  expect(values(await search('fondue', expired, moods))).toEqual(['Is tired of fondue']);
  expect(values(await list(expired, moods))).toEqual(['Is tired of fondue']);
  expect(values(await list({ validity: 'ended' }, moods))).toEqual([]);
  expect(await list({ validity: 'all' }, moods)).toHaveLength(2);
  const feature = { feature_id: id };
  expect(await moods.expect(200, `${S}/feature/get`, feature)).toMatchObject({
    expires_at: expect.any(String),
  });
  // who says it again renews it, by an add as by an update
  const expiresAt = async (): Promise<string> =>
    String((await moods.expect(200, `${S}/feature/get`, feature))['expires_at']);
  const value = 'Is tired of fondue';
  for (const say of [
    () => add(value, { set_id, category_name: 'mood' }, moods),
    () => moods.expect(204, `${S}/feature/update`, { ...feature, value }),
  ]) {
    const former = await expiresAt();
    await say();
    expect([await expiresAt(), former].sort()[0]).toBe(former);
    expect(await expiresAt()).not.toBe(former);
  }
  await moods.expect(204, `${S}/feature/update`, { ...feature, value: 'Is tired of raclette' });
  expect(values(await search('raclette', {}, moods))).toContain('Is tired of raclette');
  // a longer time brings back what expired, none keeps it for good, a short one lets it expire
  const live = async (ttl_seconds: number): Promise<boolean> => {
    await moods.expect(204, `${S}/category/update`, { category_id, ttl_seconds });
    return values(await list({}, moods)).includes('Is tired of raclette');
  };
  await eventually(async () => !values(await list({}, moods)).includes('Is tired of raclette'), {
    what: 'the corrected mood expired',
  });
  expect(await live(3_600)).toBe(true);
  expect(await live(1)).toBe(false);
  expect(await live(0)).toBe(true);
  expect(await moods.expect(200, `${S}/category/get`, { category_id })).not.toHaveProperty('ttl_seconds');
  expect(await moods.expect(200, `${S}/feature/get`, feature)).not.toHaveProperty('expires_at');
  expect((await moods.post(`${S}/category/update`, { category_id })).status).toBe(422);
});

test('a set that a client made for one user is found for that user, without a type of such sets', async () => {
  const asked = { metadata_tags: ['user_id'], set_metadata: { user_id: 'untyped' } };
  const { set_id } = await client.expect(200, `${S}/set_id/get`, asked);
  const category_name = 'notes';
  await client.expect(201, `${S}/category`, { set_id, category_name, prompt: 'Notes.' });
  await add('Collects stamps of Åland', { set_id, category_name });
  const of = (user_id: string): object => ({ set_metadata: { user_id } });
  const stamps = 'Collects stamps of Åland';
  expect(values(await list(of('untyped')))).toContain(stamps);
  expect(values(await list(of('other')))).not.toContain(stamps);
  expect(values(await search('stamps', of('untyped')))).toContain(stamps);
  expect(JSON.stringify(await client.expect(200, '/profile', { user: 'untyped' }))).toContain(stamps);
});

test('what held at a moment is what search, list, profile, context and export tell of it', async () => {
  const moving = new Client(loci.url, { org_id: 'moving', project_id: 'main' });
  const set_id = 'mem_project_set_org_moving_project_main_0_46b9dd2b0ba8__';
  const subject = 'mia';
  const home = { set_id, tag: 'Home', feature: 'city', subject };
  const feature_id = await add('Valencia', { ...home, valid_from: '2020' }, moving);
  const update = { feature_id, value: 'Gothenburg', valid_from: '2024' };
  await moving.expect(204, `${S}/feature/update`, update);
  const cities = (read: unknown): string[] => JSON.stringify(read).match(/Valencia|Gothenburg/g) ?? [];
  const told = async (at: { as_of?: string }): Promise<object> => {
    const query = 'Which city is home to Mia?';
    const found = {
      search: values(await search(query, at, moving)),
      list: values(await list(at, moving)),
      profile: (await moving.expect(200, '/profile', { user: subject, ...at }))['text'],
      context: (await moving.expect(200, '/context', { query, user: subject, ...at }))['blocks'],
      export: (await moving.ask('GET', '/projects/export', at)).body,
    };
    return Object.fromEntries(
      Object.entries(found).map(([route, read]) => [route, [...new Set(cities(read))].sort()]),
    );
  };
  const everywhere = (city: string): object =>
    Object.fromEntries(['search', 'list', 'profile', 'context', 'export'].map((route) => [route, [city]]));
  expect(await told({ as_of: '2022-06-01T00:00:00Z' })).toEqual(everywhere('Valencia'));
  expect(await told({ as_of: new Date().toISOString() })).toEqual(everywhere('Gothenburg'));
  const all = { export: ['Gothenburg', 'Valencia'] };
  expect(await told({})).toEqual({ ...everywhere('Gothenburg'), ...all });
});

test('422: an end before the beginning that is stored', async () => {
  const id = await add('Rented a boat', { valid_from: '2024-03' });
  expect(await code(`${S}/feature/update`, { feature_id: id, valid_until: '2024-02' })).toEqual([
    422,
    'value_error',
  ]);
  const read = await client.expect(200, `${S}/feature/get`, { feature_id: id });
  expect(read).toMatchObject({ valid_from: expect.stringMatching(/^2024-03-01/) });
  expect(read).not.toHaveProperty('valid_until');
});

test('422: a question about somebody of whom nothing was ever heard', async () => {
  const user = 'never-heard-of';
  const nobody = new Client(loci.url, { org_id: 'acme', project_id: 'not-there-yet' });
  for (const by of [client, nobody]) {
    for (const [path, field] of [
      ['/profile', 'user'],
      [`${S}/conflict/list`, 'subject'],
    ] as const) {
      const { status, body } = await by.post(path, { [field]: user });
      expect([status, body]).toMatchObject([
        422,
        { detail: [{ loc: ['body', field], type: 'unknown_subject', msg: expect.stringContaining(user) }] },
      ]);
    }
  }
  // a filter is a condition, and what fulfils it may be nothing
  for (const filter of [`subject='${user}'`, `metadata.user_id='${user}'`]) {
    expect(await list({ filter })).toEqual([]);
    expect(await search('boats', { filter })).toEqual([]);
  }
});

test('somebody is known as soon as something is said by, or was ever held about, that name', async () => {
  const isKnown = async (user: string): Promise<void> => {
    expect(await client.expect(200, '/profile', { user })).toMatchObject({ user, text: '', citations: [] });
    expect(await client.expect(200, `${S}/conflict/list`, { subject: user })).toEqual({ conflicts: [] });
  };
  const said = { content: 'Good morning', producer: 'desk', metadata: { user_id: 'spoke-by-metadata' } };
  await client.expect(200, '/memories', { messages: [said] });
  await isKnown('spoke-by-metadata');
  await client.expect(200, '/memories', { messages: [{ content: 'Good morning', producer: 'spoke' }] });
  await isKnown('spoke');
  await add('Lived in Lund', { subject: 'once-held', valid_until: '2024-02' });
  await isKnown('once-held');
  // of the neighbour they are as unknown as before
  expect(await code('/profile', { user: 'once-held' }, neighbour)).toEqual([422, 'unknown_subject']);
});

test('a context and a recall of a user never heard of are empty: agents ask before the first turn, too', async () => {
  const asked = { user: 'never-heard-of', query: 'boats' };
  expect(await client.expect(200, '/context', asked)).toMatchObject({ text: '', citations: [] });
  expect(await client.expect(200, '/recall', asked)).toEqual({ memories: [] });
});

test('an update changes what it names: null and absent stay, metadata are replaced as a whole', async () => {
  const id = await add('Rye bread', { feature_metadata: { a: '1', b: '2' } });
  const read = (): Promise<Json> => client.expect(200, `${S}/feature/get`, { feature_id: id });
  const before = await read();
  const nothing = { category_name: null, tag: null, feature: null, value: null, metadata: null };
  await client.expect(204, `${S}/feature/update`, { feature_id: id });
  await client.expect(204, `${S}/feature/update`, { feature_id: id, ...nothing });
  expect(await read()).toEqual(before);
  await client.expect(204, `${S}/feature/update`, { feature_id: id, tag: 'Baking', metadata: { b: '3' } });
  expect(await read()).toEqual({ ...before, tag: 'Baking', metadata: { id, other: { b: '3' } } });
  await client.expect(204, `${S}/feature/update`, { feature_id: id, feature: 'loaf', metadata: {} });
  expect(await read()).toEqual({ ...before, tag: 'Baking', feature_name: 'loaf', metadata: { id } });
});

test('citations are shown to who asks for them, by their feature alone', async () => {
  const [said] = await client.add(['I row']);
  const id = await add('Rows on Sundays', { citations: [said] });
  const citationsOf = async (options: object): Promise<unknown> => {
    const { metadata } = await client.expect(200, `${S}/feature/get`, { feature_id: id, ...options });
    return (metadata as WireFeature['metadata']).citations;
  };
  expect(await citationsOf({ load_citations: true })).toEqual([said]);
  expect(await citationsOf({ load_citations: false })).toBeUndefined();
  expect(await citationsOf({})).toBeUndefined();
  const [found] = await search('rows on sundays', { top_k: 1 });
  expect(found?.metadata).toEqual({ id });
});

test('the very same feature is one, however often it is added', async () => {
  expect(await add('Bread')).toBe(await add('Bread'));
});

test('a change is in the history and can be taken back', async () => {
  const id = await add('Tea with milk', { subject: 'alice' });
  await client.expect(204, `${S}/feature/update`, { feature_id: id, value: 'Tea without milk' });
  const { changes } = (await client.expect(200, `${S}/feature/history`, { feature_id: id })) as {
    changes: { action: string; origin: string; before: Json | null; after: Json | null }[];
  };
  expect(changes.map(({ action, origin }) => [action, origin])).toEqual([
    ['update', 'client'],
    ['add', 'client'],
  ]);
  expect(changes[0]?.before?.['value']).toBe('Tea with milk');
  // whom it is about is part of what it was
  const subjects = changes.map(({ after }) => after?.['subject']);
  expect(subjects).toEqual(['alice', 'alice']);
  await client.expect(204, `${S}/feature/undo`, { feature_id: id });
  expect((await client.expect(200, `${S}/feature/get`, { feature_id: id }))['value']).toBe('Tea with milk');
  expect(await code(`${S}/feature/undo`, { feature_id: MISSING })).toEqual([404, 'feature_not_found']);
});

test('the changes of a set are listed, and some of them taken back at once', async () => {
  const [first, second] = [await add('Lamb'), await add('Mutton')];
  for (const id of [first, second]) {
    await client.expect(204, `${S}/feature/update`, { feature_id: id, value: `${id} changed` });
  }
  const page = { set_id: PROJECT_SET, page_size: 2 };
  const { changes } = (await client.expect(200, `${S}/changes/list`, page)) as {
    changes: { change_id: string; origin: string; features: object[] }[];
  };
  expect(changes.map(({ origin, features }) => ({ origin, features }))).toEqual(
    [second, first].map((id) => ({
      origin: 'client',
      // what it said before is kept, as a feature that ended
      features: [
        { feature_id: id, action: 'update' },
        { feature_id: expect.any(String), action: 'add' },
      ],
    })),
  );
  const change_ids = changes.map(({ change_id }) => change_id);
  const behind = { set_id: PROJECT_SET, page_size: 1, cursor: change_ids[0] };
  expect((await client.expect(200, `${S}/changes/list`, behind))['changes']).toEqual(changes.slice(1));
  const undo = { set_id: PROJECT_SET, change_ids };
  expect(await code(`${S}/changes/undo`, { ...undo, change_ids: [...change_ids, MISSING] })).toEqual([
    404,
    'change_not_found',
  ]);
  await client.expect(204, `${S}/changes/undo`, undo);
  for (const [id, value] of [
    [first, 'Lamb'],
    [second, 'Mutton'],
  ] as const) {
    expect((await client.expect(200, `${S}/feature/get`, { feature_id: id }))['value']).toBe(value);
  }
});

test('contradictions name each other, are listed, and one is kept', async () => {
  const set_id = 'mem_project_set_org_contrary_project_main_0_46b9dd2b0ba8__';
  const contrary = new Client(loci.url, { org_id: 'contrary', project_id: 'main' });
  const town = { set_id, tag: 'Home', feature: 'town', single_valued: true };
  const graz = await add('Graz', town, contrary);
  const linz = await add('Linz', town, contrary);
  await add('German', { set_id, feature: 'language' }, contrary);
  await add('Slovene', { set_id, feature: 'language' }, contrary);
  const conflictsOf = async (id: string): Promise<unknown> =>
    (await contrary.expect(200, `${S}/feature/get`, { feature_id: id }))['conflicts_with'];
  expect([await conflictsOf(graz), await conflictsOf(linz)]).toEqual([[linz], [graz]]);
  expect(await search('Graz', {}, contrary)).toContainEqual(
    expect.objectContaining({ value: 'Graz', single_valued: true, conflicts_with: [linz] }),
  );
  const conflicts = async (): Promise<unknown> => {
    const page = (await contrary.expect(200, `${S}/conflict/list`, {})) as {
      conflicts: { features: WireFeature[] }[];
    };
    return page.conflicts.map(({ features: ofOne }) => values(ofOne));
  };
  expect(await conflicts()).toEqual([['Graz', 'Linz']]);
  await contrary.expect(204, `${S}/conflict/settle`, { feature_id: linz });
  expect(await contrary.expect(200, `${S}/feature/get`, { feature_id: graz })).toMatchObject({
    superseded_by: linz,
    valid_until: expect.any(String),
  });
  expect(await conflicts()).toEqual([]);
  await contrary.expect(204, `${S}/feature/undo`, { feature_id: graz });
  expect(await conflicts()).toEqual([['Graz', 'Linz']]);
  await contrary.expect(204, `${S}/feature/update`, { feature_id: graz, single_valued: false });
  expect(await conflicts()).toEqual([]);
  expect(await code(`${S}/conflict/settle`, { feature_id: linz }, contrary)).toEqual([
    404,
    'conflict_not_found',
  ]);
  expect(await code(`${S}/conflict/settle`, { feature_id: linz, other_ids: [] }, contrary)).toEqual([
    422,
    'too_short',
  ]);
});

test('deleting names what is not there, and deletes the rest for good', async () => {
  const id = await add('Liver');
  const answer = await client.post(`${S}/delete`, { semantic_ids: [id, MISSING, 'abc'] });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: 'memory_not_found', deleted: [id], not_found: [MISSING, 'abc'] });
  expect(await code(`${S}/feature/get`, { feature_id: id })).toEqual([404, 'feature_not_found']);
  expect(await code(`${S}/feature/history`, { feature_id: id })).toEqual([404, 'feature_not_found']);
  const other = await add('Tripe');
  await client.expect(204, `${S}/delete`, { semantic_id: other });
});

test('what is not right is refused as documented', async () => {
  const feature = { category_name: 'profile', tag: 't', feature: 'f', value: 'v' };
  expect(await code(`${S}/feature`, { ...feature, set_id: 'nonsense' })).toEqual([
    422,
    'string_pattern_mismatch',
  ]);
  expect(
    await code(`${S}/feature`, { ...feature, set_id: 'mem_user_set_org_acme_1_000000000000__x_y' }),
  ).toEqual([404, 'set_not_found']);
  expect(await code(`${S}/feature`, { ...feature, set_id: PROJECT_SET, category_name: 'none' })).toEqual([
    404,
    'category_not_found',
  ]);
  const [foreign] = await neighbour.add(['not yours']);
  for (const citation of [foreign, MISSING, 'abc']) {
    expect(await code(`${S}/feature`, { ...feature, set_id: PROJECT_SET, citations: [citation] })).toEqual([
      404,
      'memory_not_found',
    ]);
  }
  expect(await code(`${S}/feature/update`, { feature_id: 'abc', value: 'v' })).toEqual([
    404,
    'feature_not_found',
  ]);
  expect(await code(`${S}/category/get`, { category_id: 'abc' })).toEqual([404, 'category_not_found']);
  expect(await code(`${S}/category/update`, { category_id: MISSING, ttl_seconds: 1 })).toEqual([
    404,
    'category_not_found',
  ]);
  expect(await code(`${S}/category/delete`, { category_id: MISSING })).toEqual([404, 'category_not_found']);
  expect(await code(`${S}/category/tag/delete`, { tag_id: MISSING })).toEqual([404, 'tag_not_found']);
  expect(await code(`${S}/set_type/delete`, { set_type_id: 'abc' })).toEqual([404, 'set_type_not_found']);
  expect(await code(`${S}/set/configure`, { set_id: PROJECT_SET, embedder_name: 'x' })).toEqual([
    422,
    'unknown_resource',
  ]);
  expect(await code(`${S}/set/configure`, { set_id: PROJECT_SET, llm_name: 'x' })).toEqual([
    422,
    'unknown_resource',
  ]);
  await client.expect(204, `${S}/set/configure`, { set_id: PROJECT_SET, embedder_name: 'local' });
});

test('another project neither reads, changes nor deletes a feature', async () => {
  const id = await add('Secret sauce');
  expect(await code(`${S}/feature/get`, { feature_id: id }, neighbour)).toEqual([404, 'feature_not_found']);
  expect(await code(`${S}/feature/update`, { feature_id: id, value: 'x' }, neighbour)).toEqual([
    404,
    'feature_not_found',
  ]);
  expect(await code(`${S}/delete`, { semantic_id: id }, neighbour)).toEqual([404, 'memory_not_found']);
  expect(values(await search('secret sauce', {}, neighbour))).toEqual([]);
  // the id of another tenant's set names a set of the caller's own
  await add('Of the neighbour', { set_id: PROJECT_SET }, neighbour);
  expect(values(await list())).not.toContain('Of the neighbour');
});

test('set types, sets, templates, categories and tags: made, inherited, overridden, disabled, deleted', async () => {
  const type = { metadata_tags: [' agent_id', 'user_id', ''], name: 'Pairs' };
  const { set_type_id } = await client.expect(201, `${S}/set_type`, type);
  expect(await client.expect(201, `${S}/set_type`, type)).toEqual({ set_type_id });
  const { set_types } = (await client.expect(200, `${S}/set_type/list`, {})) as { set_types: Json[] };
  expect(set_types).toContainEqual({
    id: set_type_id,
    is_org_level: false,
    tags: ['agent_id', 'user_id'],
    name: 'Pairs',
    description: null,
  });
  const set_metadata = { agent_id: 'a1', user_id: 'u1', other: null };
  const { set_id } = await client.expect(200, `${S}/set_id/get`, {
    metadata_tags: ['user_id', 'agent_id'],
    set_metadata,
  });
  expect(set_id).toBe('mem_other_set_org_acme_project_main_2_bc6110721f5d__agent_id_a1_user_id_u1');
  const { sets } = (await client.expect(200, `${S}/set_id/list`, { set_metadata })) as {
    sets: { id: string }[];
  };
  expect(sets.map(({ id }) => id)).toEqual([PROJECT_SET, ORG_SET, set_id]);

  const template = { set_type_id, category_name: 'habits', prompt: 'Habits.' };
  const { category_id } = await client.expect(201, `${S}/category/template`, template);
  expect(await code(`${S}/category/template`, template)).toEqual([409, 'category_exists']);
  expect(await client.expect(200, `${S}/category/template/list`, { set_type_id })).toEqual({
    categories: [
      { id: category_id, name: 'habits', origin_type: 'set_type', origin_id: set_type_id, inherited: true },
    ],
  });
  expect(await client.expect(200, `${S}/category/set_ids/get`, { category_id })).toEqual({ set_ids: [] });
  const { tag_id } = await client.expect(201, `${S}/category/tag`, {
    category_id,
    tag_name: 'morning',
    tag_description: 'Before noon.',
  });
  const id = await add('Coffee at seven', { set_id, category_name: 'habits', tag: 'morning' });
  expect(await client.expect(200, `${S}/category/set_ids/get`, { category_id })).toEqual({
    set_ids: [set_id],
  });
  for (const filter of [`tag_id = '${String(tag_id)}'`, `semantic_category_id = '${String(category_id)}'`]) {
    expect([filter, values(await list({ set_metadata, filter }))]).toEqual([filter, ['Coffee at seven']]);
    expect(values(await list({ set_metadata, filter: `NOT ${filter}` }))).not.toContain('Coffee at seven');
  }
  await client.expect(204, `${S}/category/tag/delete`, { tag_id });
  expect(values(await search('coffee', { set_metadata }))).toContain('Coffee at seven');
  expect(values(await search('coffee'))).not.toContain('Coffee at seven');

  await client.expect(204, `${S}/category/disable`, { set_id, category_name: 'habits' });
  const late = { set_id, category_name: 'habits', tag: 't', feature: 'f', value: 'v' };
  expect(await code(`${S}/feature`, late)).toEqual([404, 'category_not_found']);
  const own = { set_id, category_name: 'habits', prompt: 'Own.', description: 'Mine' };
  const { category_id: ownId } = await client.expect(201, `${S}/category`, own);
  expect(await code(`${S}/category`, own)).toEqual([409, 'category_exists']);
  expect(await client.expect(200, `${S}/category/get`, { category_id: ownId })).toEqual({
    id: ownId,
    name: 'habits',
    prompt: 'Own.',
    description: 'Mine',
  });
  await client.expect(204, `${S}/category/delete`, { category_id: ownId });
  expect(await code(`${S}/feature/get`, { feature_id: id })).toEqual([404, 'feature_not_found']);
  await client.expect(204, `${S}/set_type/delete`, { set_type_id });
  expect(await code(`${S}/category/get`, { category_id })).toEqual([404, 'category_not_found']);
});

test('sets: their ids, their names and their sort order', async () => {
  const other = { org_id: 'sets-of-acme', project_id: 'main' };
  const project = new Client(loci.url, other);
  await project.expect(201, '/projects', {});
  const sets = async (set_metadata?: object): Promise<Json[]> => {
    const body = await project.expect(200, `${S}/set_id/list`, { set_metadata });
    return body['sets'] as Json[];
  };
  const names = (entries: Json[]): unknown[] => entries.map(({ name }) => name);
  const own = { is_org_level: false, tags: [], name: null, description: null };
  const shared = { ...own, is_org_level: true };
  const [first, second, ...none] = await sets();
  expect([first, second]).toMatchObject([own, shared]);
  expect(none).toEqual([]);
  expect(await sets({ nobody: 'groups by this', nothing: null })).toEqual([first, second]);

  const type = { metadata_tags: ['team', 'user'], name: 'Teams', description: 'Who works together.' };
  const { set_type_id } = await project.expect(201, `${S}/set_type`, { ...type, is_org_level: true });
  const renamed = { ...type, name: 'Gangs', is_org_level: true };
  expect(await project.expect(201, `${S}/set_type`, renamed)).toEqual({ set_type_id });
  const ofProject = await project.expect(201, `${S}/set_type`, { metadata_tags: ['user', 'team'] });
  expect(ofProject['set_type_id']).not.toBe(set_type_id);
  expect(names(await sets({ team: 'red' }))).toEqual([null, null]);
  const both = { team: 'red', user: 'u1', colour: 'x' };
  expect(names(await sets(both))).toEqual([null, null, 'Teams', null]);
  expect(names(await sets({ ...both, producer_id: 'ada' }))).toEqual([
    null,
    null,
    'User Profile',
    'Teams',
    null,
  ]);

  const { set_types } = await project.expect(200, `${S}/set_type/list`, {});
  expect((set_types as Json[]).map(({ name, tags }) => [name, tags])).toEqual([
    ['Teams', ['team', 'user']],
    [null, ['team', 'user']],
  ]);
  const idOf = async (fields: object): Promise<unknown> =>
    (await project.expect(200, `${S}/set_id/get`, fields))['set_id'];
  expect(await idOf({ metadata_tags: [] })).toBe(first?.['id']);
  expect(await idOf({ metadata_tags: [], is_org_level: true })).toBe(second?.['id']);
  const tags = { metadata_tags: ['user', 'team', 'without a value'], set_metadata: both };
  expect(await idOf({ ...tags, is_org_level: true })).toBe((await sets(both))[2]?.['id']);
});

test('what is left out of a configured set stays as it is', async () => {
  const project = new Client(loci.url, { org_id: 'acme', project_id: 'configured' });
  await project.expect(201, '/projects', {});
  const { set_id } = await project.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  const isUsed = async (): Promise<boolean> => {
    const answer = await fetch(`${loci.url}/api/v2/config/resources/embedders/local`);
    const { used_by } = (await answer.json()) as { used_by: string[] };
    return used_by.includes(`semantic set ${String(set_id)}`);
  };
  expect(await isUsed()).toBe(false);
  await project.expect(204, `${S}/set/configure`, { set_id, embedder_name: 'local' });
  expect(await isUsed()).toBe(true);
  await project.expect(204, `${S}/set/configure`, { set_id });
  await project.expect(204, `${S}/set/configure`, { set_id, embedder_name: null, llm_name: null });
  expect(await isUsed()).toBe(true);
});

test('a category is disabled as often as one likes, by any name; tags of one name are several', async () => {
  const project = new Client(loci.url, { org_id: 'acme', project_id: 'lenient' });
  await project.expect(201, '/projects', {});
  const { set_id } = await project.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  for (const category_name of ['profile', 'profile', 'nobody knows this'])
    await project.expect(204, `${S}/category/disable`, { set_id, category_name });
  const own = { set_id, category_name: 'own', prompt: '' };
  const { category_id } = await project.expect(201, `${S}/category`, own);
  expect(await project.expect(200, `${S}/category/get`, { category_id })).toEqual({
    id: category_id,
    name: 'own',
    prompt: '',
    description: null,
  });
  const tag = { category_id, tag_name: 't', tag_description: '' };
  const first = await project.expect(201, `${S}/category/tag`, tag);
  expect(await project.expect(201, `${S}/category/tag`, tag)).not.toEqual(first);
  expect(await project.expect(200, `${S}/category/set_ids/get`, { category_id: MISSING })).toEqual({
    set_ids: [],
  });
});

test('kinds are paged each on its own; top_k is for each set, the project’s own first', async () => {
  const project = new Client(loci.url, { org_id: 'paged', project_id: 'main' });
  await project.add(['first said', 'then said'], { producer: 'ada' });
  const { set_id } = await project.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  const org = await project.expect(200, `${S}/set_id/get`, { metadata_tags: [], is_org_level: true });
  const ofOrg = { set_id: org['set_id'], category_name: 'facts' };
  await project.expect(201, `${S}/category`, { ...ofOrg, prompt: 'p' });
  await add('a fact of the organization', ofOrg, project);
  for (const value of ['a fact of the project', 'another fact of the project']) {
    await add(value, { set_id }, project);
  }
  const page = async (page_num: number): Promise<unknown[]> => {
    const { content } = await project.expect(200, '/memories/list', { page_size: 1, page_num });
    const { episodic_memory: said, semantic_memory: known } = content as {
      episodic_memory: { content: string }[];
      semantic_memory: WireFeature[];
    };
    return [said.map(({ content: text }) => text), values(known)];
  };
  expect(await page(0)).toEqual([['first said'], ['a fact of the organization']]);
  expect(await page(1)).toEqual([['then said'], ['a fact of the project']]);
  expect(await page(2)).toEqual([[], ['another fact of the project']]);
  expect(await page(3)).toEqual([[], []]);
  const found = await search('fact', { top_k: 1 }, project);
  expect(found.map(({ set_id: set }) => set)).toEqual([set_id, org['set_id']]);
});

test('the built-in category can be switched off in a set', async () => {
  const project = new Client(loci.url, { org_id: 'acme', project_id: 'bare' });
  const { set_id } = await project.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  await add('x', { set_id }, project);
  await project.expect(204, `${S}/category/disable`, { set_id, category_name: 'profile' });
  const feature = { set_id, category_name: 'profile', tag: 't', feature: 'f', value: 'y' };
  expect(await code(`${S}/feature`, feature, project)).toEqual([404, 'category_not_found']);
});

test('filters apply to what a feature cites; list counts both kinds', async () => {
  const project = new Client(loci.url, { org_id: 'acme', project_id: 'filters' });
  const [said] = await project.add(['I ski'], { producer: 'ada', metadata: { user_id: 'u1' } });
  const { set_id } = await project.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  await add('Skis in winter', { set_id, citations: [said] }, project);
  await add('Swims in summer', { set_id, feature_metadata: { user_id: 'u2' } }, project);
  const cases = [
    ["metadata.user_id = 'u1'", ['Skis in winter']],
    ["metadata.user_id = 'u2'", ['Swims in summer']],
    ["producer_id = 'ada'", ['Skis in winter']],
    ["NOT metadata.user_id = 'u1'", ['Swims in summer']],
    ["category = 'profile' AND feature_name = 'dish'", ['Skis in winter', 'Swims in summer']],
    ['metadata.user_id IS NULL', []],
    ["session_key = 'acme/filters'", ['Skis in winter', 'Swims in summer']],
    ["NOT session = 'acme/filters'", []],
    [`set_id = '${String(set_id)}'`, ['Skis in winter', 'Swims in summer']],
  ] as const;
  for (const [filter, expected] of cases) {
    expect([filter, values(await list({ filter }, project)).sort()]).toEqual([filter, expected]);
    expect([filter, values(await search('winter', { filter }, project)).sort()]).toEqual([filter, expected]);
  }
  const both = await project.post('/memories/list', {});
  expect(both.headers.get('x-total-count')).toBe('3');
  expect(Object.keys(both.body['content'] as object)).toEqual(['episodic_memory', 'semantic_memory']);
});

test('a deleted episode is cited no more; what a client wrote stays', async () => {
  const [said] = await client.add(['I sail']);
  const id = await add('Sails', { citations: [said] });
  const citations = async (): Promise<unknown> => {
    const { metadata } = await client.expect(200, `${S}/feature/get`, {
      feature_id: id,
      load_citations: true,
    });
    return (metadata as WireFeature['metadata']).citations;
  };
  expect(await citations()).toEqual([said]);
  await client.expect(204, '/memories/episodic/delete', { episodic_id: said });
  await eventually(async () => (await citations()) === undefined, { what: 'the citation is gone' });
});

test('deleting a project takes what is its own, and of the organization what only it has taught', async () => {
  const doomed = new Client(loci.url, { org_id: 'acme', project_id: 'doomed' });
  const [own] = await doomed.add(['ours']);
  const [kept] = await client.add(['theirs']);
  await client.expect(201, `${S}/category`, { set_id: ORG_SET, category_name: 'facts', prompt: 'Facts.' });
  const org = { set_id: ORG_SET, category_name: 'facts' };
  const shared = await add('Known to both', { ...org, citations: [own] }, doomed);
  expect(await add('Known to both', { ...org, citations: [kept] })).toBe(shared);
  const only = await add('Known to the doomed', { ...org, citations: [own] }, doomed);
  const free = await add('Said by nobody', org, doomed);
  const { set_id } = await doomed.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  await add('Its own', { set_id }, doomed);
  await doomed.expect(204, '/projects/delete', {});
  expect(await list({}, doomed)).toEqual([]);
  const isGone = async (id: string): Promise<boolean> =>
    (await client.post(`${S}/feature/get`, { feature_id: id })).status === 404;
  await eventually(() => isGone(only), { what: 'what only it has taught is gone' });
  const left = await client.expect(200, `${S}/feature/get`, { feature_id: shared, load_citations: true });
  expect((left['metadata'] as WireFeature['metadata']).citations).toEqual([kept]);
  expect(await isGone(free)).toBe(false);
  await eventually(async () => (await doomed.post('/projects', {})).status === 201, {
    what: 'the name is free again',
  });
  expect(await list({}, doomed)).not.toContainEqual(expect.objectContaining({ value: 'Its own' }));
});

test('the same key adds once', async () => {
  const key = { 'idempotency-key': 'semantic-1' };
  const body = { set_id: PROJECT_SET, category_name: 'profile', tag: 'a', feature: 'b', value: 'once' };
  const first = await client.expect(201, `${S}/feature`, body, key);
  expect(await client.expect(201, `${S}/feature`, body, key)).toEqual(first);
  expect((await client.post(`${S}/feature`, { ...body, value: 'twice' }, key)).status).toBe(409);
});

test('the same key answers as it did, also when what was asked about is gone', async () => {
  const key = { 'idempotency-key': 'semantic-2' };
  const own = { set_id: PROJECT_SET, category_name: 'passing', prompt: 'p' };
  const { category_id } = await client.expect(201, `${S}/category`, own);
  const body = { set_id: PROJECT_SET, category_name: 'passing', tag: 'a', feature: 'b', value: 'passing' };
  const added = await client.expect(201, `${S}/feature`, body, key);
  const update = { feature_id: added['feature_id'], value: 'passed' };
  await client.expect(204, `${S}/feature/update`, update, key);
  const deletion = { category_id };
  await client.expect(204, `${S}/category/delete`, deletion, key);
  expect(await client.expect(201, `${S}/feature`, body, key)).toEqual(added);
  await client.expect(204, `${S}/feature/update`, update, key);
  await client.expect(204, `${S}/category/delete`, deletion, key);
  expect(await code(`${S}/feature`, body)).toEqual([404, 'category_not_found']);
});

test('a change is not taken back into a category that is gone', async () => {
  const own = { set_id: PROJECT_SET, category_name: 'brief', prompt: 'p' };
  const { category_id } = await client.expect(201, `${S}/category`, own);
  const id = await add('Moves on', { category_name: 'brief' });
  await client.expect(204, `${S}/feature/update`, { feature_id: id, category_name: 'profile' });
  await client.expect(204, `${S}/category/delete`, { category_id });
  expect(await code(`${S}/feature/undo`, { feature_id: id })).toEqual([404, 'category_not_found']);
  expect((await client.expect(200, `${S}/feature/get`, { feature_id: id }))['category']).toBe('profile');
});

test('a category that is deleted while tags and features are added to it leaves none, and no answer is a 500', async () => {
  for (let round = 0; round < 5; round += 1) {
    const name = `race ${round}`;
    const own = { set_id: PROJECT_SET, category_name: name, prompt: 'p' };
    const { category_id } = await client.expect(201, `${S}/category`, own);
    const tag = { category_id, tag_name: 't', tag_description: 'd' };
    const feature = { set_id: PROJECT_SET, category_name: name, tag: 't', feature: 'f', value: 'v' };
    const [deleted, ...others] = await Promise.all([
      client.post(`${S}/category/delete`, { category_id }),
      ...[1, 2, 3].map(() => client.post(`${S}/category/tag`, tag)),
      ...[1, 2, 3].map((n) => client.post(`${S}/feature`, { ...feature, value: `v${n}` })),
    ]);
    expect(deleted.status).toBe(204);
    expect(others.map(({ status }) => status).filter((status) => status !== 201 && status !== 404)).toEqual(
      [],
    );
    expect(await list({ filter: `category = '${name}'` })).toEqual([]);
  }
});

test('while semantic memory is down a search answers from the rest and says so', async () => {
  const { pid } = await loci.process('semantic-api');
  process.kill(pid, 'SIGSTOP');
  try {
    const answer = await client.post('/memories/search', { query: 'hello' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-degraded')).toContain('semantic_unavailable');
    expect(features(answer.body)).toEqual([]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});
