import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, Loci } from '@loci/testing';
import { Client, type Json, parse } from './harness/client.js';

let loci: Loci;
let projects = 0;

beforeAll(async () => {
  loci = await Loci.start();
});

afterAll(() => loci.destroy());

const freshClient = (): Client =>
  new Client(loci.url, { org_id: 'acme', project_id: `moved-${(projects += 1)}` });

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
    expect(rest.at(-1)).toEqual({ kind: 'end', episodes: 25 });
    const listed = (await client.listAll()) as unknown as Json[];
    expect(rest.slice(0, -1)).toEqual(
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
    const episodes = (await exported(client)).slice(1, -1);
    for (const place of [0, 7, 23, 24]) {
      const after = String(episodes[place]?.['cursor']);
      const rest = await exported(client, { after });
      expect(rest.slice(1, -1)).toEqual(episodes.slice(place + 1));
      expect(rest.at(-1)).toEqual({ kind: 'end', episodes: 24 - place });
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
    ];
    expect((await imported(copy, lines)).body).toEqual({ lines: 4, added: 3, existing: 0, skipped: 1 });
    expect((await copy.listAll()).map(({ content }) => content).sort()).toEqual([
      'from elsewhere',
      'lower',
      'upper',
    ]);
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
