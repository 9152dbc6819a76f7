import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels, Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Json } from './harness/client.js';
import { ConfigClient } from './harness/config-client.js';
import { whileWritesWait, withAllRows } from './harness/database.js';
import { logLines } from './harness/logs.js';
import { awayFromMidnight } from './harness/midnight.js';
import { SecondProcess } from './harness/second-process.js';
import { loseMessageOf } from './harness/streams.js';

let fake: FakeModels;
let loci: Loci;
let client: Client;
let config: ConfigClient;
/** Part of every message of a test: what an earlier one left behind is neither answered nor counted. */
let marker: string;

beforeAll(async () => {
  fake = await FakeModels.start();
  loci = await Loci.start({
    env: {
      INGESTION_LEASE_MS: '3000',
      INGESTION_RETRY_PAUSE_MS: '50',
      RECONCILE_INTERVAL_MS: '1000',
      EGRESS_ALLOW_PRIVATE: 'true',
    },
  });
  await loci.ready();
  config = new ConfigClient(loci.url);
  // the first language model that is ready learns; nothing else is said
  await addModel();
});

afterAll(async () => {
  await loci.destroy();
  await fake.close();
});

beforeEach(() => {
  fake.reset();
  marker = randomUUID();
  client = new Client(loci.url, { org_id: randomUUID(), project_id: randomUUID() });
});

async function addModel(): Promise<void> {
  const added = await config.register('language_models', {
    name: 'gpt',
    provider: 'openai-chat-completions',
    config: {
      base_url: fake.openAiUrl,
      api_key: 'key',
      model: 'gpt',
      input_price_per_million: 1_000,
      output_price_per_million: 2_000,
    },
  });
  const used_by = [
    expect.stringContaining('short_term_memory.llm_model'),
    expect.stringContaining('semantic'),
  ];
  expect(added).toMatchObject({ status: 201, body: { status: 'ready', used_by } });
}

const MESSAGES = ['Good morning.', 'I paint.', 'On Sundays.', 'It calms me.', 'That is all.'];

const say = (texts: readonly string[] = MESSAGES): Promise<string[]> =>
  client.add(texts.map((text) => `${text} ${marker}`));

const isExtraction = ({ first }: { readonly first: string }): boolean =>
  first.includes('HISTORY') && first.includes(marker);

const learn = (value: string): object => ({
  commands: [{ command: 'add', tag: 'Hobbies', feature: 'hobby', value, messages: [2] }],
});

const FACT = { command: 'add', tag: 'Facts', feature: 'fact', messages: [1] };

const isConsolidation = ({ system, user }: { readonly system: string; readonly user: string }): boolean =>
  system.includes('keep_memories') && user.includes(marker);

/** Merges the first two facts of the test, by their values. */
function mergeOfTwo({ user }: { readonly user: string }): string {
  const shown = JSON.parse(user) as readonly { readonly value: string; readonly metadata: { id: string } }[];
  const replaces = shown.filter(({ value }) => /^fact [01] /.test(value)).map(({ metadata }) => metadata.id);
  const merged = [{ tag: 'Facts', feature: 'fact', value: 'merged', replaces }];
  return JSON.stringify({ consolidated_memories: merged, keep_memories: [] });
}

/** How often the model was asked to consolidate what was learned in the test. */
const consolidations = (): number =>
  fake
    .calls('/chat/completions')
    .map(({ body }) => JSON.stringify(body))
    .filter((body) => body.includes('keep_memories') && body.includes(marker)).length;

/** How often the model was asked about the messages of the test. */
const extractions = (): number =>
  fake.calls('/chat/completions').filter(({ body }) => JSON.stringify(body).includes(marker)).length;

async function learned(): Promise<readonly Json[]> {
  const body = await client.expect(200, '/memories/list', { type: 'semantic' });
  const { semantic_memory: features } = body['content'] as { semantic_memory: readonly Json[] };
  return features;
}

const values = async (): Promise<unknown[]> => (await learned()).map(({ value }) => value);

const becomes = (expected: readonly unknown[]): Promise<true> =>
  eventually(async () => JSON.stringify(await values()) === JSON.stringify(expected), {
    what: `the features are ${JSON.stringify(expected)}`,
  });

async function list(path: string): Promise<readonly Json[]> {
  const { status, body } = await client.ask('GET', `/ingestion/${path}`);
  if (status !== 200 || !Array.isArray(body)) throw new Error(`${path} answered ${status}`);
  return body as readonly Json[];
}

/** What is said of the set of the project. */
const ofProject = async (path: 'backlog' | 'jobs'): Promise<Json | undefined> =>
  (await list(path)).find(({ set_id: id }) => String(id).startsWith('mem_project_set_'));

const waitsBecause = (code: string): Promise<Json> =>
  eventually(
    async () => {
      const entry = await ofProject('backlog');
      return entry?.['code'] === code ? entry : undefined;
    },
    { what: `messages wait because of ${code}` },
  );

test('a model that asked for a pause of minutes is asked again when a retry is asked for', async () => {
  const full = { status: 429, headers: { 'retry-after': '300' }, times: 1_000 };
  fake.fail({ path: '/chat/completions', text: marker, ...full });
  await say();
  await waitsBecause('language_model_unavailable');
  fake.reset();
  fake.reply(isExtraction, learn('painting'));
  const retried = await config.retry('language_models', 'gpt');
  expect(retried).toMatchObject({ status: 200, body: { status: 'ready' } });
  await eventually(async () => JSON.stringify(await values()) === JSON.stringify(['painting']), {
    what: 'the message is learned from',
  });
});

test('however many categories a set has, a batch of messages takes a few calls', async () => {
  await client.expect(201, '/projects', {});
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  for (let index = 0; index < 40; index += 1) {
    const category = { set_id, category_name: `category ${index}`, prompt: 'Look for facts.' };
    await client.expect(201, '/memories/semantic/category', category);
  }
  fake.reply(isExtraction, { commands: [] });
  await say();
  await eventually(() => extractions() > 0, { what: 'the model is asked' });
  await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'nothing waits' });
  expect(extractions()).toBeLessThan(5);
});

test('what an agent says becomes a feature that cites the message, and its cost is known', async () => {
  fake.reply(isExtraction, learn('painting'));
  const uids = await say();
  await becomes(['painting']);
  const [feature] = await learned();
  expect(feature).toMatchObject({ category: 'profile', tag: 'Hobbies', feature_name: 'hobby' });
  const { id } = feature?.['metadata'] as { id: string };
  const got = await client.expect(200, '/memories/semantic/feature/get', {
    feature_id: id,
    load_citations: true,
  });
  expect(JSON.stringify(got)).toContain(uids[1]);
  expect(JSON.stringify(got)).not.toContain(uids[0]);
  const [usage] = await list('usage');
  expect(usage).toMatchObject({ model: 'gpt', is_org_level: false, calls: 1, failures: 0 });
  const { input_tokens: input, output_tokens: output } = usage ?? {};
  expect(usage?.['cost']).toBeCloseTo((Number(input) * 1_000 + Number(output) * 2_000) / 1e6, 6);
  const [call] = await list('calls');
  expect(call).toMatchObject({
    ...{
      kind: 'extraction',
      categories: ['profile'],
      model: 'gpt',
      outcome: 'succeeded',
      code: null,
      replies: 1,
    },
    ...{
      input_tokens: input,
      output_tokens: output,
      cost: usage?.['cost'],
      message_count: 5,
      feature_count: 1,
    },
  });
  expect(call).not.toHaveProperty('prompt');
  const { body: details } = await client.ask('GET', `/ingestion/calls/${String(call?.['id'])}`);
  expect(details).toMatchObject({
    ...call,
    episode_ids: uids,
    features: [{ feature_id: id, category: 'profile', action: 'add' }],
    reply: expect.stringContaining('painting'),
    is_cut: false,
  });
  expect(JSON.stringify(details['prompt'])).toContain(`I paint. ${marker}`);
  for (const message of details['prompt'] as { content: string }[]) {
    expect(fake.calls('/chat/completions')[0]?.body['messages']).toContainEqual(message);
  }
  await client.expect(204, '/memory/semantic/config', { keep_call_texts: false });
  expect((await client.ask('GET', `/ingestion/calls/${String(call?.['id'])}`)).body).toMatchObject({
    prompt: null,
    reply: null,
  });
  await client.expect(204, '/memory/semantic/config', { keep_calls_days: 0 });
  expect(await list('calls')).toEqual([]);
});

test('forgetting a user takes along what was learned from what that user said alone', async () => {
  fake.reply(isExtraction, {
    commands: [
      { command: 'add', tag: 'Hobbies', feature: 'hers', value: 'fencing', messages: [1] },
      { command: 'add', tag: 'Hobbies', feature: 'theirs', value: 'sailing', messages: [1, 2] },
    ],
  });
  const [hers, his] = [{ metadata: { user_id: 'mira' } }, { metadata: { user_id: 'bob' } }];
  const told = ['I fence and sail.', 'We sail together.', 'Yes.', 'Indeed.', 'Bye.'];
  const messages = told.map((content, index) => ({
    content: `${content} ${marker}`,
    ...(index === 0 ? hers : his),
  }));
  await client.expect(200, '/memories', { messages });
  await eventually(async () => (await values()).length === 2, { what: 'both are learned' });
  expect(await list('calls')).toHaveLength(1);
  const { id } = await client.expect(202, '/memories/forget', { filter: `metadata.user_id='mira'` });
  await becomes(['sailing']);
  await eventually(
    async () => (await client.ask('GET', `/memories/forget/${String(id)}`)).body['state'] === 'done',
    { what: 'the job is done' },
  );
  const dump = await withAllRows(loci, async (db) => {
    const { rows } = await db.query<object>(
      `SELECT value FROM semantic.features WHERE value = 'fencing'
       UNION ALL SELECT value FROM semantic.features WHERE value = 'sailing'
       UNION ALL SELECT row_to_json(c)::text FROM semantic.feature_history c WHERE row_to_json(c)::text LIKE '%fencing%'
       UNION ALL SELECT row_to_json(c)::text FROM semantic.model_calls c WHERE row_to_json(c)::text LIKE '%fenc%'`,
    );
    return rows;
  });
  expect(dump).toEqual([{ value: 'sailing' }]);
});

test('facts of several users of one project are told apart: a search for one shows nothing of another', async () => {
  const says = (user: string, content: string): object => ({
    content,
    producer: 'web',
    metadata: { user_id: user },
  });
  await client.expect(200, '/memories', {
    messages: [
      says('mira-1', 'My name is Mira.'),
      says('bob-2', 'My name is Bob.'),
      says('mira-1', 'I live in Valencia.'),
      says('bob-2', 'I live in Valencia.'),
      says('mira-1', 'I hate rain.'),
    ],
  });
  const mine = ['Mira', 'Valencia', 'rain'];
  await becomes(['Mira', 'Bob', 'Valencia', 'Valencia', 'rain']);
  expect((await learned()).map(({ subject }) => subject)).toEqual([
    ...['mira-1', 'bob-2', 'mira-1', 'bob-2', 'mira-1'],
  ]);
  const ofMira = await client.expect(200, '/memories/search', {
    query: 'What is the name, and where is home?',
    filter: "metadata.user_id = 'mira-1'",
    types: ['semantic'],
  });
  const { semantic_memory: found } = ofMira['content'] as { semantic_memory: readonly Json[] };
  expect(found.map(({ value }) => value).sort()).toEqual(mine.toSorted());
  const valuesIn = ({ text }: Json): unknown =>
    [...String(text).matchAll(/: "(?<value>\w+)"$/gm)].map((match) => match[1]).sort();
  expect(valuesIn(await client.expect(200, '/profile', { user: 'mira-1' }))).toEqual(mine.toSorted());
  const context = await client.expect(200, '/context', { user: 'bob-2', query: 'Who is this?' });
  const [profile] = context['blocks'] as readonly Json[];
  expect(valuesIn(profile ?? {})).toEqual(['Bob', 'Valencia']);
  await client.expect(422, '/profile', { user: 'mira' });
});

test('the model sees what was said before in the conversation, and not what others said; it learns from neither again', async () => {
  const say = (session_id: string, ...texts: readonly string[]): Promise<unknown> => {
    const messages = texts.map((text) => ({ content: `${text} ${marker}`, metadata: { session_id } }));
    return client.expect(200, '/memories', { messages });
  };
  fake.reply(isExtraction, { commands: [] });
  await say('shop', 'Hello.', 'Show me cars.', 'The red one.', 'The blue one.', 'Which of them do you want?');
  await eventually(() => extractions() === 1, { what: 'the model is asked' });
  await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'all is read' });
  fake.reply(isExtraction, learn('wants the blue car'));
  await say('shop', 'Well.', 'Yes, the last one.');
  await say('zoo', 'Elephants.', 'Lions.', 'Tigers.');
  await becomes(['wants the blue car']);
  const asked = fake
    .calls('/chat/completions')
    .map(({ body }) => JSON.stringify(body))
    .at(-1);
  const [earlier = '', history = ''] = asked?.split('<EARLIER>')[1]?.split('<HISTORY>') ?? [];
  expect(earlier).toContain('The blue one.');
  expect(earlier).not.toMatch(/message\\":|Yes, the last|Lions/);
  expect(history).toContain('Yes, the last one.');
  expect(history).not.toContain('The blue one.');
});

test('a prompt is tried on messages: the answer says what it would make of them, and nothing is written', async () => {
  const known = { category_name: 'profile', tag: 'Home', feature: 'town', value: 'Valencia', subject: 'ann' };
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  await client.expect(201, '/memories/semantic/feature', { ...known, set_id });
  const [uid = ''] = await client.add([`I live in Valencia. ${marker}`]);
  const tables = (): Promise<unknown> =>
    withAllRows(loci, async (database) => {
      const of = [client.project.org_id];
      const { rows: features } = await database.query(
        'SELECT uid, value, subject, revision, dates FROM semantic.features WHERE org_id = $1 ORDER BY uid',
        of,
      );
      const { rows: counts } = await database.query(
        `SELECT (SELECT count(*) FROM semantic.feature_history WHERE org_id = $1) AS history,
          (SELECT count(*) FROM semantic.proposals WHERE org_id = $1) AS proposals,
          (SELECT count(*) FROM semantic.sets WHERE org_id = $1) AS sets,
          (SELECT count(*) FROM semantic.citations JOIN semantic.features ON features.uid = feature_uid
           WHERE org_id = $1) AS citations,
          (SELECT sum(waiting) FROM semantic.ingestion_jobs WHERE org_id = $1) AS waiting`,
        of,
      );
      return { features, counts };
    });
  const answer = (value: string, subject: string): object => ({
    command: 'update',
    category: 'plans',
    subject,
    tag: 'Home',
    feature: 'town',
    value,
    single: true,
    messages: [2],
  });
  fake.reply(isExtraction, { commands: [answer('Graz', 'bob'), { ...answer('Linz', 'bob'), messages: [] }] });
  const asked = {
    set_id,
    category_name: 'plans',
    prompt: 'Look for plans.',
    tags: { Home: 'Where they live.' },
    episode_ids: [uid],
    messages: [{ content: `I will move to Graz. ${marker}`, producer: 'bob', metadata: { user_id: 'bob' } }],
  };
  await eventually(async () => (await ofProject('backlog'))?.waiting === 1, { what: 'the message waits' });
  const before = await tables();
  const preview = await client.expect(200, '/ingestion/preview', asked);
  expect(preview).toMatchObject({
    model: 'gpt',
    commands: [
      {
        command: 'update',
        subject: 'bob',
        tag: 'Home',
        feature_name: 'town',
        value: 'Graz',
        single_valued: true,
        messages: [2],
      },
      { feature_name: 'town', messages: [], refused: expect.stringContaining('names no message') },
    ],
    changes: [{ action: 'add', before: null, after: { category: 'plans', value: 'Graz', subject: 'bob' } }],
    // a command that cites nothing is asked for again once
    calls: 2,
  });
  expect(preview['cost']).toBeGreaterThan(0);
  expect(preview).toMatchObject({ outcome: 'succeeded', code: null, reason: null, is_cut: false });
  expect(preview['reply']).toContain('Linz');
  expect(await tables()).toEqual(before);
  const prompt = JSON.stringify(fake.calls('/chat/completions').at(-1)?.body);
  for (const shown of [
    'Look for plans.',
    'Where they live.',
    'I live in Valencia.',
    'I will move to Graz.',
  ]) {
    expect(prompt).toContain(shown);
    expect(JSON.stringify(preview['prompt'])).toContain(shown);
  }
  expect(await list('usage')).toMatchObject([{ model: 'gpt', calls: 2 }]);
  // a reply of no use is what was to be seen, and no failure of the service: it is not to be sent again
  fake.reply(isExtraction, 'Certainly! My key is sk-aaaaaaaaaaaaaaaaaaaaaaaa.');
  expect(await client.expect(200, '/ingestion/preview', asked)).toMatchObject({
    outcome: 'failed',
    code: 'model_reply_unusable',
    reason: expect.stringContaining('JSON'),
    reply: 'Certainly! My key is [redacted].',
    commands: [],
    changes: [],
    calls: 2,
  });
  expect(await tables()).toEqual(before);
  // what a client wrote, a model would only propose to change
  const protectedOne = { ...answer('Graz', 'ann'), category: 'profile', messages: [1] };
  fake.reply(isExtraction, { commands: [protectedOne] });
  const ofAnn = {
    ...asked,
    category_name: 'profile',
    messages: [{ content: `Graz! ${marker}`, producer: 'ann' }],
    episode_ids: [],
  };
  expect(await client.expect(200, '/ingestion/preview', ofAnn)).toMatchObject({
    commands: [{ value: 'Graz' }, { refused: expect.stringContaining('proposal') }],
    changes: [],
  });
  expect(await tables()).toEqual(before);
  for (const messages of [
    [],
    Array.from({ length: 51 }, () => ({ content: 'x' })),
    [{ content: 'word '.repeat(9_000) }],
  ]) {
    await client.expect(422, '/ingestion/preview', { ...asked, episode_ids: [], messages });
  }
  await client.expect(404, '/ingestion/preview', { ...asked, prompt: null });
  await client.expect(204, '/memory/semantic/config', { trusted_producers: ['ann'] });
  await client.expect(422, '/ingestion/preview', {
    ...ofAnn,
    messages: [...ofAnn.messages, ...asked.messages],
  });
});

test('previews do not exceed the quota of calls, however many come at once', async () => {
  await awayFromMidnight();
  await client.expect(201, '/projects', {});
  const { org_id } = client.project;
  const limited = await fetch(`${loci.url}/api/v2/quotas`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ org_id, model_calls_per_day: 3 }),
  });
  expect(limited.status).toBe(200);
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  const feature = { set_id, category_name: 'profile', tag: 'Home', feature: 'town', value: 'Linz' };
  await client.expect(201, '/memories/semantic/feature', feature);
  fake.reply(isExtraction, { commands: [] });
  const asked = {
    set_id,
    category_name: 'plans',
    prompt: 'Look for plans.',
    tags: {},
    messages: [{ content: `I will move to Graz. ${marker}` }],
  };
  const preview = () => client.post('/ingestion/preview', asked);
  const answers = [];
  for (let round = 0; round < 3; round += 1)
    answers.push(...(await Promise.all(Array.from({ length: 6 }, preview))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const refused = await preview();
  expect(refused).toMatchObject({ status: 429, body: { code: 'model_quota_exceeded' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const prompts = fake.calls('/chat/completions').map(({ body }) => JSON.stringify(body));
  expect(prompts.filter((prompt) => prompt.includes(marker))).toHaveLength(3);
});

/** What is learned leaves no row, as if it had been learned a while ago. */
const rowsAreGone = (): Promise<true> =>
  eventually(
    () =>
      withAllRows(loci, async (database) => {
        const ofProject = 'semantic.ingestion_messages WHERE project_id = $1';
        const values = [client.project.project_id];
        await database.query(
          `UPDATE semantic.ingestion_messages SET done_at = done_at - interval '2 minutes'
           WHERE project_id = $1 AND done_at > now() - interval '1 minute'`,
          values,
        );
        // also those behind which others have been removed meanwhile
        await database.query(
          `UPDATE semantic.ingestion_cursors SET position = NULL WHERE name = 'learned-messages'`,
        );
        const { rows } = await database.query(`SELECT FROM ${ofProject}`, values);
        return rows.length === 0;
      }),
    { what: 'no message has a row' },
  );

test('a project whose facts say of no user whose they are is learned again, its cost told first', async () => {
  await client.expect(201, '/projects', {});
  await client.expect(204, '/memory/semantic/config', { facts_of: 'project' });
  const says = (user: string, text: string): object => ({
    content: `${text} ${marker}`,
    metadata: { user_id: user },
  });
  const told = [says('ann-3', 'I hate fog.'), says('tom-4', 'I hate fog.'), says('ann-3', 'I hate ice.')];
  await client.expect(200, '/memories', {
    messages: [...told, says('tom-4', 'Well.'), says('tom-4', 'So.')],
  });
  await eventually(async () => (await values()).length === 2, { what: 'the facts are learned' });
  const subjects = async (): Promise<unknown[]> =>
    (await learned()).map(({ subject, value }) => `${String(subject)}: ${String(value)}`).sort();
  expect(await subjects()).toEqual(['undefined: fog', 'undefined: ice']);
  await rowsAreGone();
  const preview = await client.expect(200, '/ingestion/relearn/preview', {});
  expect(preview).toMatchObject({ messages: 5, features: 2, calls: 1 });
  expect(preview['cost']).toBeGreaterThan(0);
  const progress = async (): Promise<Json> => (await client.ask('GET', '/ingestion/relearn')).body;
  const none = { features_left: 0, messages_left: 0 };
  expect(await progress()).toEqual({ running: false, started_at: null, done_at: null, ...none });
  const orderedAt = Date.now();
  fake.fail({ path: '/chat/completions', status: 503, times: 1_000 });
  expect(await client.expect(202, '/ingestion/relearn', {})).toEqual(preview);
  const begun = await progress();
  expect(begun).toMatchObject({ running: true, started_at: expect.any(String) });
  expect(Math.abs(Date.parse(String(begun['started_at'])) - orderedAt)).toBeLessThan(60_000);
  const putBack = await eventually(
    async () => {
      const now = await progress();
      return now['done_at'] !== null && now;
    },
    { what: 'all messages are back in the backlog' },
  );
  expect(putBack).toEqual({
    ...{ running: true, started_at: begun['started_at'], done_at: expect.any(String) },
    ...{ features_left: 0, messages_left: 5 },
  });
  const nothing = { messages: 0, calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 };
  expect(await client.expect(200, '/ingestion/relearn/preview', {})).toMatchObject(nothing);
  fake.reset();
  await eventually(
    async () =>
      JSON.stringify(await subjects()) === JSON.stringify(['ann-3: fog', 'ann-3: ice', 'tom-4: fog']),
    { what: 'each fact has its subject' },
  );
  await eventually(async () => (await progress())['running'] === false, { what: 'nothing of it is left' });
  const next = await client.expect(200, '/ingestion/relearn/preview', {});
  expect(next).toMatchObject({ messages: 5, features: 0, calls: 1 });
  // what they took twice is not what they take once
  for (const price of ['input_tokens', 'output_tokens', 'cost'])
    expect(Number(next[price]) / Number(preview[price])).toBeLessThan(1.5);
  expect(await progress()).toEqual({ ...putBack, running: false, messages_left: 0 });
});

/** How long it takes until the model is asked about messages that make their set due at once: what a busy machine adds. */
async function msUntilAsked(texts: readonly string[]): Promise<number> {
  const before = extractions();
  const begunAt = performance.now();
  await say(texts);
  await eventually(() => extractions() > before, { what: 'the model is asked at once' });
  return performance.now() - begunAt;
}

describe('triggers', () => {
  test('are waited for, which the backlog says; changed over HTTP, they count within two seconds', async () => {
    fake.reply(isExtraction, learn('painting'));
    await say(MESSAGES.slice(0, 3));
    const entry = await waitsBecause('waiting_for_trigger');
    expect(entry).toMatchObject({ waiting: 3, state: 'idle', failing_categories: [] });
    expect(entry['reason']).toContain('5 messages (3 have come)');
    const untilDueMs = Date.parse(String(entry['next_attempt_at'])) - Date.parse(String(entry['oldest_at']));
    expect(Math.abs(untilDueMs - 300_000)).toBeLessThan(2_000);
    await config.put('/memory/semantic', { ingestion_trigger_messages: 3 });
    try {
      const changedAt = performance.now();
      await eventually(() => extractions() > 0, { what: 'the new trigger counts' });
      const tookMs = performance.now() - changedAt;
      await becomes(['painting']);
      expect(tookMs).toBeLessThan(2_000 + (await msUntilAsked(MESSAGES.slice(0, 3))));
    } finally {
      await config.put('/memory/semantic', { ingestion_trigger_messages: 5 });
    }
    // the set is let go of a moment after its features are there
    await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'nothing waits' });
    expect(await ofProject('jobs')).toMatchObject({ state: 'idle', waiting: 0, reason: null });
  });

  test('by age, to within two seconds', async () => {
    fake.reply(isExtraction, learn('painting'));
    await config.put('/memory/semantic', { ingestion_trigger_age_seconds: 3 });
    try {
      const addedAt = performance.now();
      await say(['I paint.']);
      await eventually(() => extractions() > 0, { what: 'the message is old enough' });
      const tookMs = performance.now() - addedAt;
      expect(tookMs).toBeGreaterThan(2_500);
      expect(tookMs).toBeLessThan(5_000 + (await msUntilAsked(MESSAGES)));
    } finally {
      await config.put('/memory/semantic', { ingestion_trigger_age_seconds: 300 });
    }
  });
});

describe('a worker that is killed is replaced, and nothing is lost or learned twice', () => {
  test('while the model thinks', async () => {
    fake.fail({ path: '/chat/completions', delayMs: 1_000 });
    fake.reply(isExtraction, learn('painting'));
    await say();
    await eventually(() => extractions() > 0, { what: 'the model is asked' });
    await loci.kill('semantic-worker');
    await becomes(['painting']);
    expect(extractions()).toBeLessThanOrEqual(2);
  });

  test('between the reply of the model and the commit', async () => {
    fake.reply(isExtraction, learn('painting'));
    let asked = 0;
    await whileWritesWait(loci, 'semantic.ingestion_progress', {
      start: () => say(),
      meanwhile: async () => {
        // what waits may be of an earlier test; nothing is committed before the kill either way
        await eventually(() => extractions() > 0, { what: 'the model is asked' });
        asked = extractions();
        await loci.kill('semantic-worker');
      },
    });
    await becomes(['painting']);
    await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'nothing waits' });
    expect(extractions()).toBe(asked + 1);
    expect(await values()).toEqual(['painting']);
  });

  test('three times by the same messages: they are set aside, others are learned, and they when told', async () => {
    fake.fail({ path: '/chat/completions', text: marker, kind: 'hang', times: 3 });
    fake.reply(isExtraction, learn('painting'));
    const uids = await say();
    for (const deaths of [1, 2, 3]) {
      await eventually(() => extractions() === deaths, { what: `pass ${deaths} is under way` });
      await loci.kill('semantic-worker');
    }
    await eventually(async () => (await list('dead-letters')).length > 0, { what: 'they are set aside' });
    const letters = await list('dead-letters');
    expect(letters).toMatchObject([{ category: 'profile', code: 'process_ended', failures: 3 }]);
    expect(letters.flatMap(({ episode_ids: ids }) => ids).sort()).toEqual([...uids].sort());
    expect(await values()).toEqual([]);
    await say(['And', 'now', 'of', 'something', 'else.']);
    await becomes(['painting']);
    expect(extractions()).toBe(4);
    await client.expect(200, '/ingestion/dead-letters/replay', {});
    await eventually(() => extractions() === 5, { what: 'they are read again' });
    await eventually(async () => (await list('dead-letters')).length === 0, { what: 'they are learned' });
  });

  test.each(['semantic-worker', 'postgres'] as const)(
    'while the model consolidates (%s): all is there, merged once at most, and undo gives it back',
    async (victim) => {
      const known = Array.from({ length: 20 }, (_, n) => `fact ${n} ${marker}`);
      const commands = known.map((value) => ({ ...FACT, value }));
      fake.reply(isExtraction, { commands: [{ ...FACT, value: 'later' }] });
      fake.reply(isExtraction, { commands }, 1);
      fake.replyBy(isConsolidation, mergeOfTwo);
      await say();
      await eventually(async () => (await values()).length === known.length, { what: 'all are learned' });
      fake.fail({ path: '/chat/completions', text: 'keep_memories', delayMs: 1_000 });
      await say([...MESSAGES, ...MESSAGES]);
      await eventually(() => consolidations() > 0, { what: 'the model is asked to consolidate' });
      await loci.kill(victim);
      await loci.ready();
      const merges = async (): Promise<readonly Json[]> => {
        const [{ set_id } = {}] = await learned();
        const { changes } = await client.expect(200, '/memories/semantic/changes/list', { set_id });
        return (changes as readonly Json[]).filter(({ origin }) => origin === 'consolidation');
      };
      const isDone = async (): Promise<boolean> =>
        (await values()).includes('later') && (await ofProject('backlog')) === undefined;
      await eventually(isDone, { what: 'nothing waits' });
      // what was lost with its process is made up for when more has been learned
      for (let rounds = 0; rounds < 2 && (await merges()).length === 0; rounds += 1) {
        await say([...MESSAGES, ...MESSAGES]);
        await eventually(async () => (await ofProject('backlog')) !== undefined, { what: 'they wait' });
        await eventually(isDone, { what: 'they are learned from' });
      }
      const [merge, ...others] = await merges();
      expect(others).toEqual([]);
      expect(consolidations()).toBeLessThanOrEqual(2);
      expect((await values()).sort()).toEqual(['later', 'merged', ...known.slice(2)].sort());
      const feature_id = (merge?.['features'] as readonly Json[])[0]?.['feature_id'];
      await client.expect(204, '/memories/semantic/feature/undo', { feature_id });
      expect((await values()).sort()).toEqual(['later', ...known].sort());
    },
  );
});

test('a worker that hangs past its lease is taken over by another process, and what it comes back with is refused', async () => {
  const givenUp = async (): Promise<number> =>
    (await logLines(loci)).filter(({ text }) => text.includes('work on a set was given up')).length;
  const before = await givenUp();
  fake.fail({ path: '/chat/completions', delayMs: 1_000 });
  fake.reply(isExtraction, learn('of the one that hung'), 1);
  fake.reply(isExtraction, learn('of the one that took over'));
  await say();
  await eventually(() => extractions() > 0, { what: 'the model is asked' });
  const { pid } = await loci.process('semantic-worker');
  process.kill(pid, 'SIGSTOP');
  try {
    const second = await SecondProcess.start(loci, 'semantic-worker');
    try {
      await becomes(['of the one that took over']);
      process.kill(pid, 'SIGCONT');
      await eventually(async () => (await givenUp()) > before, {
        what: 'the one that hung has given up',
      });
    } finally {
      await second.stop();
    }
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'nothing waits' });
  expect(await values()).toEqual(['of the one that took over']);
  // on a busy machine the second one may be late with its lease as well, and asks again
  expect(extractions()).toBeGreaterThanOrEqual(2);
});

test('a model that asks one worker for a pause is left alone by all of them; afterwards all is learned', async () => {
  const pauseMs = 3_000;
  const second = await SecondProcess.start(loci, 'semantic-worker');
  try {
    fake.fail({ path: '/chat/completions', status: 429, headers: { 'retry-after': String(pauseMs / 1000) } });
    fake.reply(isExtraction, learn('painting'));
    await say();
    await eventually(() => extractions() > 0, { what: 'the model asks for a pause' });
    const others = Array.from(
      { length: 8 },
      () => new Client(loci.url, { org_id: randomUUID(), project_id: 'p' }),
    );
    await Promise.all(others.map((other) => other.add(MESSAGES.map((text) => `${text} ${marker}`))));
    await becomes(['painting']);
    await eventually(() => extractions() === 2 + others.length, { what: 'all are asked about' });
    const [refused = 0, ...later] = fake.calls('/chat/completions').map(({ atMs }) => atMs);
    expect(Math.min(...later) - refused).toBeGreaterThanOrEqual(pauseMs);
  } finally {
    await second.stop();
  }
});

test('a new organization is learned from next, although hundreds of sets of another one wait', async () => {
  const crowd = randomUUID();
  const others = Array.from(
    { length: 100 },
    () => new Client(loci.url, { org_id: crowd, project_id: randomUUID() }),
  );
  for (let from = 0; from < others.length; from += 5) {
    await Promise.all(others.slice(from, from + 5).map((other) => other.add([`I paint. ${crowd}`])));
  }
  const taken = async (other: Client): Promise<boolean> =>
    JSON.stringify((await other.ask('GET', '/ingestion/backlog')).body).includes('waiting_for_trigger');
  for (const other of others) await eventually(() => taken(other), { what: 'each set waits' });
  const asked = (text: string): number[] =>
    fake
      .calls('/chat/completions')
      .flatMap(({ body }, index) => (JSON.stringify(body).includes(text) ? [index] : []));
  fake.fail({ path: '/chat/completions', delayMs: 3_000, times: 10_000 });
  await config.put('/memory/semantic', { ingestion_trigger_messages: 1 });
  try {
    await eventually(() => asked(crowd).length > 0, { what: 'the model is asked about the first of them' });
    await say(['I paint.']);
    const before = asked(crowd).length;
    const [turn = 0] = await eventually(() => asked(marker).length > 0 && asked(marker), {
      what: 'the model is asked about the new one',
    });
    // what is asked while its message is on its way: nine at a time, each for three seconds
    expect(turn - before).toBeLessThan(60);
  } finally {
    fake.reset();
    await config.put('/memory/semantic', { ingestion_trigger_messages: 5 });
  }
  const isDone = async (other: Client): Promise<boolean> =>
    JSON.stringify((await other.ask('GET', '/ingestion/backlog')).body) === '[]';
  for (const other of others) await eventually(() => isDone(other), { what: 'all is learned' });
});

test('a model that is removed while messages wait for it blocks them with the reason, until there is one again', async () => {
  fake.fail({ path: '/chat/completions', status: 500, times: 100 });
  fake.reply(isExtraction, learn('painting'));
  await say();
  await eventually(() => extractions() > 0, { what: 'the model is asked' });
  const removed = await config.delete('/resources/language_models/gpt?force=true');
  expect(removed.status).toBe(200);
  const entry = await waitsBecause('resource_not_ready');
  expect(entry).toMatchObject({ waiting: 5, state: 'blocked' });
  expect(entry['reason']).toContain("'gpt' is not registered");
  fake.reset();
  fake.reply(isExtraction, learn('painting'));
  await addModel();
  await becomes(['painting']);
});

describe('soon after semantic memory was switched off no call of a model begins, however many wait', () => {
  const memory = 'config.memory_configuration';
  const enable = (enabled: boolean): Promise<unknown> => config.put('/memory/semantic', { enabled });
  /** As if the hint of the change was lost. */
  const disableUnheard = (): Promise<unknown> =>
    withAllRows(loci, async (database) => {
      await database.query(
        `UPDATE ${memory} SET changes = changes ||
           jsonb_build_object('semantic', coalesce(changes -> 'semantic', '{}') || '{"enabled": false}')`,
      );
      await database.query('UPDATE config.registry_revision SET revision = revision + 1');
    });

  test.each([
    ['within two seconds', 2_000, () => enable(false)],
    // 1.5 s until it is looked for, and what a busy machine takes to ask
    ['within five when the hint of it is lost', 5_000, disableUnheard],
  ])('%s', async (_, withinMs, disable) => {
    fake.reply(isExtraction, 'certainly!');
    // longer than it may take: all that may begin has begun, and nothing follows it, before the first has replied
    fake.fail({ path: '/chat/completions', delayMs: 6_000, times: 10_000 });
    const org_id = randomUUID();
    const others = Array.from(
      { length: 20 },
      () => new Client(loci.url, { org_id, project_id: randomUUID() }),
    );
    try {
      const texts = MESSAGES.map((text) => `${text} ${marker}`);
      for (let from = 0; from < others.length; from += 5)
        await Promise.all(others.slice(from, from + 5).map((other) => other.add(texts)));
      await eventually(() => extractions() > 0, { what: 'the model is asked' });
      await disable();
      await sleep(withinMs);
      const asked = extractions();
      // each of these calls would be followed by another, which says what was wrong, or by that of another set
      await eventually(() => fake.openReplies === 0, { what: 'the model has replied' });
      await sleep(3_000);
      expect(extractions()).toBe(asked);
      expect(asked).toBeLessThan(20);
    } finally {
      fake.reset();
      await enable(true);
    }
  });
});

describe('messages that nothing can learn from leave no row, and are learned once something can', () => {
  const rows = (): Promise<number> =>
    withAllRows(loci, async (database) => {
      const { rows: counted } = await database.query(
        'SELECT count(*)::int AS count FROM semantic.ingestion_messages WHERE org_id = $1',
        [client.project.org_id],
      );
      return Number((counted as readonly { count: number }[])[0]?.count);
    });

  const waiting = (count: number): Promise<true> =>
    eventually(async () => (await ofProject('backlog'))?.['waiting'] === count, {
      what: `${count} messages wait`,
    });

  /** Until the worker has heard of it, and a look for missed messages that began before has ended: it takes them in with rows. */
  const isDeferred = async (): Promise<true> => {
    let deferred = 0;
    return eventually(
      async () => {
        client = new Client(loci.url, { org_id: randomUUID(), project_id: randomUUID() });
        marker = randomUUID();
        await say(['Hello.']);
        await waiting(1);
        deferred = (await rows()) === 0 ? deferred + 1 : 0;
        return deferred === 3;
      },
      { what: 'messages are deferred' },
    );
  };

  test('because semantic memory is off', async () => {
    fake.reply(isExtraction, learn('painting'));
    await config.put('/memory/semantic', { enabled: false });
    try {
      await isDeferred();
      await say(MESSAGES.slice(1));
      await waiting(5);
      expect(await rows()).toBe(0);
      expect(await ofProject('backlog')).toMatchObject({
        code: 'semantic_memory_disabled',
        oldest_at: expect.any(String),
      });
    } finally {
      await config.put('/memory/semantic', { enabled: true });
    }
    await becomes(['painting']);
    await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'nothing waits' });
    expect(extractions()).toBe(1);
    expect(await rows()).toBe(5);
  });

  test('because there is no model, although the worker is killed meanwhile; one that is deleted is not', async () => {
    fake.reply(isExtraction, learn('painting'));
    expect((await config.delete('/resources/language_models/gpt?force=true')).status).toBe(200);
    await isDeferred();
    await say(MESSAGES.slice(1));
    await waitsBecause('resource_not_ready');
    const [uid = ''] = await say(['Forget this.']);
    await waiting(6);
    await client.expect(204, '/memories/episodic/delete', { episodic_id: uid });
    await waiting(5);
    await loci.kill('semantic-worker');
    await addModel();
    await becomes(['painting']);
    await eventually(async () => (await ofProject('backlog')) === undefined, { what: 'nothing waits' });
    expect(extractions()).toBe(1);
    expect(await rows()).toBe(5);
  });
});

describe('what a category gives up', () => {
  const deadLetters = async (): Promise<readonly Json[]> => {
    await eventually(async () => (await list('dead-letters')).length > 0, {
      what: 'there is a dead letter',
    });
    return list('dead-letters');
  };

  test('is listed with its reason, can be looked at, and is whole again after a replay', async () => {
    fake.reply(/./, 'certainly!');
    const uids = await say(['I paint.', 'On Sundays.', 'It calms me.', 'Really.', 'Yes.']);
    await deadLetters();
    await eventually(async () => (await ofProject('backlog')) === undefined, {
      what: 'every message is given up',
    });
    const letters = await list('dead-letters');
    expect(letters.flatMap(({ episode_ids: ids }) => ids).sort()).toEqual([...uids].sort());
    const [letter] = letters;
    expect(letter).toMatchObject({ category: 'profile', code: 'model_reply_unusable', failures: 6 });
    const path = `/ingestion/dead-letters/${String(letter?.['id'])}`;
    expect((await client.ask('GET', path)).body).toEqual(letter);
    const stranger = new Client(loci.url, { org_id: randomUUID(), project_id: 'p' });
    expect((await stranger.ask('GET', path)).status).toBe(404);
    expect((await stranger.ask('DELETE', path)).status).toBe(404);
    expect((await stranger.post(`${path}/replay`, {})).status).toBe(404);
    fake.reset();
    fake.reply(isExtraction, {
      commands: [{ command: 'add', tag: 'Hobbies', feature: 'hobby', value: 'paint', messages: [1] }],
    });
    const key = { 'idempotency-key': randomUUID() };
    const all = { replayed: letters.length };
    expect(await client.expect(200, '/ingestion/dead-letters/replay', {}, key)).toEqual(all);
    expect(await client.expect(200, '/ingestion/dead-letters/replay', {}, key)).toEqual(all);
    await becomes(['paint']);
    expect(await list('dead-letters')).toEqual([]);
    const [usage] = await list('usage');
    expect(usage?.['failures']).toBeGreaterThan(0);
  });

  test('can be dropped for good, once', async () => {
    fake.reply(/./, 'certainly!');
    await say();
    const [letter] = await deadLetters();
    const path = `/ingestion/dead-letters/${String(letter?.['id'])}`;
    const key = { 'idempotency-key': randomUUID() };
    expect((await client.ask('DELETE', path, {}, key)).status).toBe(204);
    expect((await client.ask('DELETE', path, {}, key)).status).toBe(204);
    expect((await client.ask('DELETE', path)).status).toBe(404);
  });
});

describe('P3: an event that is lost with its stream', () => {
  test('about new episodes: they are ingested all the same, once', async () => {
    fake.reply(isExtraction, learn('painting'));
    await loseMessageOf(loci, 'semantic-worker-intake', () => say());
    await becomes(['painting']);
    expect(extractions()).toBe(1);
  });

  test('about a deleted episode: what only it said is forgotten all the same', async () => {
    fake.reply(isExtraction, learn('painting'));
    const uids = await say();
    await becomes(['painting']);
    await loseMessageOf(loci, 'semantic-worker-forget', () =>
      client.expect(204, '/memories/episodic/delete', { episodic_id: uids[1] }),
    );
    await becomes([]);
  });
});
