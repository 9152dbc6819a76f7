import { beforeAll, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { Client, type Json } from '../harness/client.js';
import { withAllRows, withDatabase } from '../harness/database.js';
import { pointsAmong } from '../harness/vectors.js';
import { product } from './product.js';

const OF_MIRA = `metadata.user_id='mira' OR producer_id='mira'`;

let loci: Loci;
let client: Client;
let hers: readonly string[];
let others: readonly string[];

beforeAll(async () => {
  loci = await product();
  client = new Client(loci.url, { org_id: 'forget', project_id: 'main' });
  hers = [
    ...(await client.add(['Mira collects harmonicas.'], { metadata: { user_id: 'mira' } })),
    ...(await client.add(['I sold one harmonica.'], { producer: 'mira' })),
  ];
  others = await client.add(['Bob collects thimbles.'], { metadata: { user_id: 'bob' } });
});

const job = async (id: unknown): Promise<Json> =>
  (await client.ask('GET', `/memories/forget/${String(id)}`)).body;

const done = (id: unknown): Promise<Json> =>
  eventually(
    async () => {
      const found = await job(id);
      return found['state'] === 'done' ? found : undefined;
    },
    { what: 'the job is done' },
  );

const rowsWith = async (text: string): Promise<number> =>
  withAllRows(loci, async (db) => {
    const { rows } = await db.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM episodic.episodes WHERE content LIKE $1)::int
            + (SELECT count(*) FROM episodic.deletions WHERE filter::text LIKE $1)::int AS count`,
      [`%${text}%`],
    );
    return rows[0]?.count ?? 0;
  });

/** How many of the messages have a row. */
const rowsAmong = async (uids: readonly string[]): Promise<number> =>
  withAllRows(loci, async (db) => {
    const { rowCount } = await db.query('SELECT FROM episodic.episodes WHERE uid = ANY($1)', [uids]);
    return rowCount ?? 0;
  });

test('422: nothing is deleted by a filter that is blank, or is not about messages', async () => {
  for (const filter of [undefined, '', '  ']) {
    const answer = await client.post('/memories/forget', { ...(filter !== undefined && { filter }) });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'filter'] }] } });
  }
  for (const filter of [
    `NOT category_name='profile'`,
    `producer_id='mira' AND updated_at < date('2030-01-01')`,
  ]) {
    const answer = await client.post('/memories/forget', { filter });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'filter_unknown_field' }] } });
  }
  expect(await client.count()).toBe(3);
});

test('a message that has expired is in no answer, sooner than it is deleted; then nothing of it is left', async () => {
  const expiring = new Client(loci.url, { org_id: 'forget', project_id: 'expiring' });
  const { pid } = await loci.process('episodic-worker');
  const all: string[] = [];
  // readers must not need it
  process.kill(pid, 'SIGSTOP');
  try {
    const add = async (content: string, message: object = {}): Promise<void> => {
      all.push(...(await expiring.add([content], message)));
    };
    await add('The gazebo is painted.');
    await add('The gazebo is for sale until noon.', { ttl_seconds: 2 });
    await add('The gazebo is for rent.', { ttl_seconds: 600 });
    await expiring.expect(204, '/memory/episodic/config', { ttl_seconds: 2 });
    await add('The gazebo leaks.', { ttl_seconds: 600 });
    await expiring.expect(204, '/memory/episodic/config', { ttl_seconds: 0 });
    const [kept, , later] = all;
    const left = [kept, later];
    expect((await expiring.list()).length).toBeGreaterThanOrEqual(2);
    const [listed] = (await expiring.list({ filter: `uid='${later}'` })) as unknown as Json[];
    expect(Date.parse(String(listed?.['expires_at'])) - Date.now()).toBeGreaterThan(500_000);
    await eventually(async () => (await expiring.count()) === 2, { what: 'two are left' });
    expect(await rowsAmong(all)).toBe(4);
    expect((await expiring.list()).map(({ uid }) => uid)).toEqual(left);
    const { longTerm, shortTerm } = await expiring.search('gazebo', { expand_context: 3 });
    expect([...longTerm, ...shortTerm].map(({ uid }) => uid).sort()).toEqual([...left].sort());
    const context = await expiring.expect(200, '/context', { query: 'gazebo' });
    expect(JSON.stringify(context)).not.toMatch(/noon|leaks/);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => (await rowsAmong(all)) === 2, { what: 'their rows are gone' });
  const [, soon = '', , byProject = ''] = all;
  expect(await pointsAmong(loci, [soon, byProject])).toEqual([]);
});

test('404: a job of another project, and one that does not exist', async () => {
  expect((await client.ask('GET', `/memories/forget/${randomUUID()}`)).status).toBe(404);
  expect((await client.ask('GET', '/memories/forget/x')).body).toMatchObject({ code: 'job_not_found' });
});

test('202: what matches is previewed, then gone from answers, tables and index; what is added later stays', async () => {
  await eventually(async () => (await pointsAmong(loci, hers)).length === 2, { what: 'they are indexed' });
  const preview = await client.expect(200, '/memories/forget/preview', { filter: OF_MIRA });
  expect(preview).toEqual({ matching: 2, features: 0 });
  const changed = await client.post('/memories/forget', { filter: OF_MIRA, expected_matching: 1 });
  expect(changed).toMatchObject({ status: 409, body: { code: 'matching_changed' } });
  expect(changed.body['detail']).toContain('2 messages match');
  expect(await client.count()).toBe(3);

  expect(await rowsWith('harmonica.')).toBe(1);
  const key = { 'idempotency-key': randomUUID() };
  const request = { filter: OF_MIRA, expected_matching: 2 };
  const begun = await client.expect(202, '/memories/forget', request, key);
  expect(begun).toMatchObject({ matching: 2, finished_at: null });
  expect(await client.expect(202, '/memories/forget', request, key)).toEqual(begun);
  const later = await client.add(['My new harmonica is blue.'], { producer: 'mira' });
  expect(await done(begun['id'])).toMatchObject({ deleted: 2, finished_at: expect.any(String) });

  const left = [...others, ...later];
  expect((await client.list()).map(({ uid }) => uid)).toEqual(left);
  const { longTerm, shortTerm } = await client.search('harmonicas');
  expect([...longTerm, ...shortTerm].map(({ uid }) => uid)).not.toEqual(expect.arrayContaining([...hers]));
  const exported = await (
    await fetch(`${loci.url}/api/v2/projects/export?org_id=forget&project_id=main`)
  ).text();
  expect(exported).toContain('thimbles');
  expect(exported).not.toContain('sold one harmonica');
  expect(await pointsAmong(loci, hers)).toEqual([]);
  expect(await rowsWith('harmonica.')).toBe(0);
  expect(await rowsWith('mira')).toBe(0);
  expect(
    ((await client.ask('GET', '/memories/forget')).body as unknown as Json[]).map(({ id }) => id),
  ).toEqual([begun['id']]);
});

test('429: a project has a thousand unfinished deletions at most, others go on', async () => {
  const [full, other] = ['full', 'beside'].map(
    (project_id) => new Client(loci.url, { org_id: 'forget', project_id }),
  );
  if (!full || !other) throw new Error('There are two.');
  for (const one of [full, other]) await one.add(['The shed is locked.']);
  const request = { filter: `metadata.user_id='unheard-of'` };
  const ofFull = `project_uid = (SELECT uid FROM episodic.projects WHERE org_id = 'forget' AND project_id = 'full')`;
  await withAllRows(loci, async (db) => {
    // they wait for as long as the test takes
    await db.query(`INSERT INTO episodic.deletions (project_uid, uid, filter, matching, next_at)
      SELECT uid, gen_random_uuid(), '{}', 0, 'infinity' FROM episodic.projects, generate_series(1, 1000)
      WHERE org_id = 'forget' AND project_id = 'full'`);
    const refused = await full.post('/memories/forget', request);
    expect(refused).toMatchObject({ status: 429, body: { code: 'overloaded' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await other.expect(202, '/memories/forget', request);
    await full.expect(200, '/memories/forget/preview', request);
    await db.query(`DELETE FROM episodic.deletions WHERE uid IN
      (SELECT uid FROM episodic.deletions WHERE ${ofFull} LIMIT 1)`);
    await full.expect(202, '/memories/forget', request);
    await db.query(`DELETE FROM episodic.deletions WHERE ${ofFull}`);
  });
});

test('of one organization two requests that count are worked on at a time, others have their turn beside them', async () => {
  const [flood, calm] = ['count-flood', 'count-calm'].map(
    (org_id) => new Client(loci.url, { org_id, project_id: 'main' }),
  );
  if (!flood || !calm) throw new Error('There are two.');
  for (const one of [flood, calm]) await one.add(['The shed is painted.']);
  const countAll = (client: Client, times: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const filter = `metadata.n='${index}'`;
        return (await client.post('/memories/forget/preview', { filter })).status;
      }),
    );
  // a role sees the statements of its own connections
  await withDatabase(await loci.databaseUrlOf('episodic'), async (own) => {
    const atWork = async (): Promise<number> => {
      const { rowCount } = await own.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%count(*) FILTER (WHERE is_match)%'`,
      );
      return rowCount ?? 0;
    };
    await withAllRows(loci, async (db) => {
      await db.query('BEGIN');
      await db.query('LOCK TABLE episodic.episodes IN ACCESS EXCLUSIVE MODE');
      const floods = countAll(flood, 12);
      await eventually(async () => (await atWork()) === 2, { what: 'two of the flood are counting' });
      const others = countAll(calm, 2);
      await eventually(async () => (await atWork()) >= 4, { what: 'those of others are counting, too' });
      expect(await atWork()).toBe(4);
      await db.query('COMMIT');
      expect([...(await floods), ...(await others)]).toEqual(Array<number>(14).fill(200));
    });
  });
});
