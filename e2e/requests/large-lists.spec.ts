import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { Client, type Json, type WireEpisode } from '../harness/client.js';
import { withDatabase } from '../harness/database.js';
import { product } from './product.js';

const MESSAGES = 100;

/** The longest message that there can be: 800 kB. */
const CONTENT = `repeat('🦊', 199990)`;

/** What one answer may carry. */
const BUDGET_BYTES = 7 * 1024 * 1024;

interface Page {
  readonly episodes: readonly WireEpisode[];
  readonly total: string | null;
  readonly next: string | undefined;
}

let loci: Loci;
let client: Client;

beforeAll(async () => {
  loci = await product();
  client = new Client(loci.url, { org_id: 'acme-lists', project_id: 'large' });
  await client.expect(201, '/projects', {});
  await client.expect(204, '/memory/episodic/long_term/config', { enabled: false });
  const first = await client.add(['the first'], { timestamp: '2020-01-01T00:00:00Z' });
  // many at one instant, so that the uid has to tell them apart; vectors of such texts are not what is tried here
  await withDatabase(await loci.databaseUrlOf('migrate'), async (database) => {
    await database.query(`SELECT set_config('loci.scope', '*', false)`);
    await database.query(
      `INSERT INTO episodic.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                                      created_at, in_short_term, in_long_term, is_semantic)
       SELECT gen_random_uuid(), project_uid, lpad(n::text, 3, '0') || ${CONTENT}, 'p', 'user', 'q', '{}',
              '2020-02-01'::timestamptz + n % 3 * interval '1 us', true, false, false
       FROM generate_series(1, ${MESSAGES}) AS n, episodic.episodes WHERE uid = $1`,
      [first[0]],
    );
  });
});

async function read(from: Client, cursor: string, options: object): Promise<Page> {
  const { status, headers, body } = await from.post('/memories/list', {
    type: 'episodic',
    cursor,
    ...options,
  });
  expect({ status, body: status === 200 ? {} : body }).toEqual({ status: 200, body: {} });
  const { episodic_memory: episodes } = body['content'] as { episodic_memory: WireEpisode[] };
  return {
    episodes,
    total: headers.get('x-total-count'),
    next: headers.get('x-next-cursor') ?? undefined,
  };
}

/** Every page, and what happens behind each of them. */
async function walk(
  from: Client,
  options: object,
  behind?: (page: Page) => Promise<unknown>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: Page = await read(from, cursor, options);
    pages.push(page);
    await behind?.(page);
    cursor = page.next;
  }
  return pages;
}

/** The most memory that a process has had since `forget`, in bytes. */
async function highWater(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const forget = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

test('413: a page by number that is too large says how many fit, and that a cursor would do; memory stays small', async () => {
  const { pid } = await loci.process('episodic-api');
  await client.post('/memories/list', { type: 'episodic' });
  await forget(pid);
  const before = await highWater(pid);
  const { status, body } = await client.post('/memories/list', { type: 'episodic' });
  expect((await highWater(pid)) - before).toBeLessThan(2 * BUDGET_BYTES);
  expect(status).toBe(413);
  expect(body).toMatchObject({
    code: 'body_too_large',
    detail: expect.stringMatching(/page_size of \d+ or less, or send `cursor`/),
  });
});

test('by cursor each message comes once, in order, as many as fit a page, and memory stays small', async () => {
  const { pid } = await loci.process('episodic-api');
  await read(client, '', { page_size: 1000 });
  await forget(pid);
  const before = await highWater(pid);
  const pages = await walk(client, { page_size: 1000 });
  const grown = (await highWater(pid)) - before;

  const found = pages.flatMap(({ episodes }) => episodes);
  expect(new Set(found.map(({ uid }) => uid)).size).toBe(MESSAGES + 1);
  expect(found).toHaveLength(MESSAGES + 1);
  const order = found.map(({ created_at, uid }) => `${created_at} ${uid}`);
  expect(order).toEqual([...order].sort());
  for (const { episodes } of pages) {
    const bytes = episodes.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES);
  }
  expect(pages.length).toBeLessThan(20);
  expect(pages.map(({ total }) => total)).toEqual([String(MESSAGES + 1), ...pages.slice(1).map(() => null)]);
  expect(grown).toBeLessThan(20 * BUDGET_BYTES);
});

test('the templates of a set type are listed whole, whatever their prompts are, and memory stays small', async () => {
  const S = '/memories/semantic';
  const { set_type_id } = await client.expect(201, `${S}/set_type`, { metadata_tags: ['large'] });
  const template = { set_type_id, prompt: 'p' };
  const list = async (): Promise<{ id: string; name: string }[]> =>
    (await client.expect(200, `${S}/category/template/list`, template))['categories'] as {
      id: string;
      name: string;
    }[];
  await client.expect(201, `${S}/category/template`, { ...template, category_name: 'first' });
  const [first] = await list();
  await withDatabase(await loci.databaseUrlOf('migrate'), async (database) => {
    await database.query(`SELECT set_config('loci.scope', '*', false)`);
    await database.query(
      `INSERT INTO semantic.categories (uid, org_id, project_uid, set_type_uid, name, prompt)
       SELECT gen_random_uuid(), org_id, project_uid, set_type_uid, 'c' || n, ${CONTENT}
       FROM generate_series(2, ${MESSAGES}) AS n, semantic.categories WHERE uid = $1`,
      [first?.id],
    );
  });
  const { pid } = await loci.process('semantic-api');
  await list();
  await forget(pid);
  const before = await highWater(pid);
  expect(await list()).toHaveLength(MESSAGES);
  expect((await highWater(pid)) - before).toBeLessThan(2 * BUDGET_BYTES);
});

test('what is added or deleted between pages neither doubles nor hides what stays', async () => {
  const changing = new Client(loci.url, { org_id: 'acme-lists', project_id: 'changing' });
  const words = Array.from({ length: 12 }, (_, index) => `stays ${index}`);
  const there = await changing.add(words, { timestamp: '2021-01-01T00:00:00Z' });
  const [, passed, here, , coming] = there.sort();
  const pages = await walk(changing, { page_size: 3 }, async ({ episodes }) => {
    if (!episodes.some(({ uid }) => uid === here)) return;
    await changing.expect(204, '/memories/episodic/delete', { episodic_ids: [passed, here, coming] });
    await changing.add(['early'], { timestamp: '2020-01-01T00:00:00Z' });
    await changing.add(['late']);
  });
  const found = pages.flatMap(({ episodes }) => episodes);
  expect(found.map(({ uid }) => uid).slice(0, -1)).toEqual(there.filter((uid) => uid !== coming));
  expect(found.at(-1)?.content).toBe('late');
});

test('both kinds are walked at once, each to its end', async () => {
  const both = new Client(loci.url, { org_id: 'acme-lists', project_id: 'both' });
  await both.add(['one', 'two', 'three', 'four'], { metadata: {} });
  const { set_id } = (await both.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] })) as {
    set_id: string;
  };
  for (const value of ['first', 'second']) {
    const feature = { set_id, category_name: 'profile', tag: 't', feature: value, value };
    await both.expect(201, '/memories/semantic/feature', feature);
  }
  const kinds: Record<string, string[]>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { headers, body } = await both.post('/memories/list', { cursor, page_size: 1 });
    const { episodic_memory, semantic_memory } = body['content'] as Record<string, Json[]>;
    kinds.push({
      episodic: (episodic_memory ?? []).map(({ content }) => content as string),
      semantic: (semantic_memory ?? []).map(({ value }) => value as string),
    });
    cursor = headers.get('x-next-cursor');
  }
  expect(kinds).toEqual([
    { episodic: ['one'], semantic: ['first'] },
    { episodic: ['two'], semantic: ['second'] },
    { episodic: ['three'], semantic: [] },
    { episodic: ['four'], semantic: [] },
  ]);
});

test('422: a cursor that is none, or that comes with a page', async () => {
  const position = (createdAt: string): string =>
    Buffer.from(JSON.stringify([[createdAt, '018f0000-0000-7000-8000-000000000000'], 'ended'])).toString(
      'base64url',
    );
  for (const given of [
    { cursor: 'x' },
    { cursor: 7 },
    { cursor: position('2023-02-31T00:00:00.000000Z') },
    { cursor: position('0000-01-01T00:00:00.000000Z') },
    { cursor: '', page_num: 1 },
    { cursor: '', page_size: 0 },
  ]) {
    expect(await client.post('/memories/list', given)).toMatchObject({ status: 422 });
  }
});

test('the history of a feature is told in pages that fit into an answer', async () => {
  const S = '/memories/semantic';
  const value = (count: number): string => `${count} ${'x'.repeat(190_000)}`;
  const { set_id } = await client.expect(200, `${S}/set_id/get`, { metadata_tags: [] });
  const feature = { set_id, category_name: 'profile', tag: 't', feature: 'f', value: value(0) };
  const { feature_id } = await client.expect(201, `${S}/feature`, feature);
  for (let count = 1; count <= 6; count += 1) {
    await client.expect(204, `${S}/feature/update`, { feature_id, value: value(count) });
  }
  const sizes: number[] = [];
  const told: string[] = [];
  for (let cursor: string | null = null; sizes.length === 0 || cursor !== null;) {
    const page = await client.post(`${S}/feature/history`, { feature_id, cursor });
    expect(page.status).toBe(200);
    const { changes } = page.body as { changes: { after: { value: string } }[] };
    sizes.push(JSON.stringify(page.body).length);
    told.push(...changes.map(({ after }) => after.value.slice(0, 2).trim()));
    cursor = page.headers.get('x-next-cursor');
  }
  expect(told).toEqual(['6', '5', '4', '3', '2', '1', '0']);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(1.1 * 1024 * 1024);
  const nonsense = await client.post(`${S}/feature/history`, { feature_id, cursor: 'x' });
  expect(nonsense.status).toBe(422);
});
