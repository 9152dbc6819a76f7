import { beforeAll, describe, expect, test } from '@jest/globals';
import { INSTANT, type Instant, instantFromDate, parseFilter, type ProjectReference } from '@loci/contracts';
import { type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type NewEpisode } from './episode.js';

let database: TestDatabase;
let replica: Replica;
let project: ProjectReference;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

const fresh = async (): Promise<void> => {
  project = await replica.openProject();
};

const add = (...episodes: Partial<NewEpisode>[]): Promise<boolean> =>
  replica.episodes.add(project.tenant, batchOf(...episodes));

const countOutbox = async (): Promise<number> => {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM episodic.outbox WHERE payload->>'projectUid' = $1`,
    [project.projectUid],
  );
  return row?.count ?? 0;
};

describe('add', () => {
  test('stores the episodes and one event that names them in order', async () => {
    await fresh();
    const batch = batchOf({ content: 'a' }, { content: 'b' });
    expect(await replica.episodes.add(project.tenant, batch)).toBe(true);
    const { episodes } = await replica.episodes.list(project.projectUid, undefined, { offset: 0, limit: 9 });
    expect(episodes.map(({ content }) => content)).toEqual(['a', 'b']);
    const events = await database.query<{ payload: unknown }>(
      `SELECT payload FROM episodic.outbox WHERE payload->>'projectUid' = $1`,
      [project.projectUid],
    );
    const uids = batch.episodes.map(({ uid }) => uid);
    expect(events).toEqual([{ payload: { ...project, types: ['episodic', 'semantic'], uids } }]);
  });

  test('keeps who wrote the episodes of each add, also of those that share a statement', async () => {
    await fresh();
    const authors = ['a', 'b:c'].map((id) => ({ kind: 'api-key', id, name: 'not kept' }) as const);
    const adds = [...authors, undefined].map((author) =>
      replica.episodes.add(project.tenant, { ...batchOf({ content: author?.id ?? '' }), author }),
    );
    await Promise.all(adds);
    const { episodes } = await replica.episodes.list(project.projectUid, undefined, { offset: 0, limit: 9 });
    for (const { content, author } of episodes) {
      expect(author).toEqual(content === '' ? undefined : { kind: 'api-key', id: content });
    }
    expect(episodes).toHaveLength(3);
  });

  test('is all or nothing: one episode that cannot be stored and there is none, and no event', async () => {
    await fresh();
    const uid = uuidv7();
    await expect(add({ content: 'good' }, { uid }, { uid })).rejects.toThrow();
    await expect(add({ content: 'good' }, { content: 'not \u0000 storable' })).rejects.toThrow();
    expect(await replica.count(project.projectUid)).toBe(0);
    expect(await countOutbox()).toBe(0);
  });

  test('a bad add does not take with it those that share its statement', async () => {
    await fresh();
    const uid = uuidv7();
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => add({}, {})),
      add({ uid }, { uid }),
      ...Array.from({ length: 10 }, () => add({}, {})),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await replica.count(project.projectUid)).toBe(40);
    expect(await countOutbox()).toBe(20);
  });

  test('in a transaction it is undone with it', async () => {
    await fresh();
    const work = replica.unitOfWork.run(async (tx) => {
      expect(await replica.episodes.add(project.tenant, batchOf({}), tx)).toBe(true);
      throw new Error('undo');
    });
    await expect(work).rejects.toThrow('undo');
    expect(await replica.count(project.projectUid)).toBe(0);
    expect(await countOutbox()).toBe(0);
  });

  test('many at once for many projects, some of which are not open: each gets what is its own', async () => {
    const projects = await Promise.all(Array.from({ length: 8 }, () => replica.openProject()));
    await Promise.all(projects.slice(4).map((closed) => replica.projects.close(closed)));
    const adds = Array.from({ length: 80 }, (_, n) => projects[n % 8]!);
    const stored = await Promise.all(
      adds.map(({ tenant }) => replica.episodes.add(tenant, batchOf({ content: tenant.projectId }))),
    );
    expect(stored).toEqual(adds.map((_, n) => n % 8 < 4));
    for (const [index, { projectUid }] of projects.entries()) {
      const { episodes } = await replica.episodes.list(projectUid, undefined, { offset: 0, limit: 99 });
      expect(episodes.map(({ content }) => content)).toEqual(
        Array.from({ length: index < 4 ? 10 : 0 }, () => projectUid),
      );
    }
  });
});

describe('the window of the newest', () => {
  const at = (second: number): Instant => instant(`2024-05-01T10:00:0${second}Z`);

  const newest = async (capacityChars: number, limit: number, filter = ''): Promise<string[]> => {
    const window = { capacityChars, limit };
    const episodes = await replica.episodes.newest(project.projectUid, parseFilter(filter), window);
    return episodes.map(({ content }) => content);
  };

  beforeAll(async () => {
    await fresh();
    await add(
      { content: '4444', createdAt: at(4), metadata: { kind: 'even' } },
      { content: '1', createdAt: at(1) },
      { content: '333', createdAt: at(3) },
      { content: '22', createdAt: at(2), metadata: { kind: 'even' } },
    );
  });

  test('is ordered by time, oldest first, whatever order they were added in', async () => {
    expect(await newest(1_000, 10)).toEqual(['1', '22', '333', '4444']);
    expect(await newest(9, 10)).toEqual(['22', '333', '4444']);
    expect(await newest(8, 10)).toEqual(['333', '4444']);
    expect(await newest(1_000, 2)).toEqual(['333', '4444']);
  });

  test('has what is dated in the future where all others leave room', async () => {
    const others = project;
    await fresh();
    const ahead = (minutes: number): Instant => instantFromDate(new Date(Date.now() + minutes * 60_000));
    await add(
      { content: 'later', createdAt: ahead(60) },
      { content: 'old', createdAt: at(1) },
      { content: 'soon', createdAt: ahead(1) },
      { content: 'much later', createdAt: ahead(6_000_000) },
    );
    expect(await newest(1_000, 1)).toEqual(['soon']);
    expect(await newest(1_000, 2)).toEqual(['old', 'soon']);
    expect(await newest(8, 10)).toEqual(['old', 'soon']);
    expect(await newest(1_000, 10)).toEqual(['old', 'soon', 'later', 'much later']);
    project = others;
  });

  test('holds what fits together into its capacity, and always the newest', async () => {
    expect(await newest(10, 10)).toEqual(['1', '22', '333', '4444']);
    expect(await newest(9, 10)).toEqual(['22', '333', '4444']);
    expect(await newest(8, 10)).toEqual(['333', '4444']);
    expect(await newest(1, 10)).toEqual(['4444']);
  });

  test('capacity is counted before the filter: a filter never brings back what fell out', async () => {
    expect(await newest(9, 10, "m.kind = 'even'")).toEqual(['22', '4444']);
    expect(await newest(8, 10, "m.kind = 'even'")).toEqual(['4444']);
    expect(await newest(8, 10, 'm.kind IS NULL')).toEqual(['333']);
    expect(await newest(8, 1, 'm.kind IS NULL')).toEqual(['333']);
  });

  test('looks no further back than 5,000, of which any number is outside of short-term memory', async () => {
    const addOutside = (count: number): Promise<unknown> =>
      database.query(
        `INSERT INTO episodic.episodes
         SELECT (jsonb_populate_record(row, jsonb_build_object(
           'uid', gen_random_uuid(), 'in_short_term', false, 'created_at', row.created_at + interval '1 second'))).*
         FROM episodic.episodes AS row, generate_series(1, $2) WHERE project_uid = $1 AND in_short_term`,
        [project.projectUid, count],
      );
    await fresh();
    await add({ content: 'old', createdAt: at(1) });
    await addOutside(4_999);
    expect(await newest(1_000, 10)).toEqual(['old']);
    await addOutside(1);
    expect(await newest(1_000, 10)).toEqual([]);
  });

  test('characters count, not bytes', async () => {
    await fresh();
    await add({ content: '日本語', createdAt: at(1) }, { content: '😀😀', createdAt: at(2) });
    expect(await newest(5, 10)).toEqual(['日本語', '😀😀']);
    expect(await newest(4, 10)).toEqual(['😀😀']);
  });

  test('neither what was deleted nor what is for semantic memory alone takes part', async () => {
    await fresh();
    const [uid = ''] = await replica.addEach(project.tenant, ['deleted']);
    await replica.addEach(project.tenant, ['stays']);
    await replica.episodes.add(project.tenant, { ...batchOf({ content: 'semantic' }), types: ['semantic'] });
    await replica.unitOfWork.run((tx) => replica.episodes.remove(project.projectUid, [uid], tx));
    expect(await newest(1_000, 10)).toEqual(['stays']);
  });
});

describe('remove', () => {
  const remove = async (projectUid: string, uids: readonly string[]): Promise<readonly string[]> =>
    (await replica.unitOfWork.run((tx) => replica.episodes.remove(projectUid, uids, tx))).uids;

  test('says when the last of them was added, to the microsecond', async () => {
    await fresh();
    const uids = await replica.addEach(project.tenant, ['first', 'second', 'stays']);
    const described = await replica.episodes.describe(project.projectUid, uids, false);
    const [first, second] = uids.map((uid) => described.find((episode) => episode.uid === uid)?.addedAt);
    const deletion = await replica.unitOfWork.run((tx) =>
      replica.episodes.remove(project.projectUid, uids.slice(0, 2), tx),
    );
    expect(deletion.addedUntil).toBe([first, second].sort().at(-1));
    expect(deletion.addedUntil).toMatch(INSTANT);
  });

  test('hides from every read at once, and only once', async () => {
    await fresh();
    const [gone = '', stays = ''] = await replica.addEach(project.tenant, ['gone', 'stays']);
    expect(await remove(project.projectUid, [gone, uuidv7()])).toEqual([gone]);
    expect(await remove(project.projectUid, [gone])).toEqual([]);
    expect(await replica.count(project.projectUid)).toBe(1);
    const { episodes, total } = await replica.episodes.list(project.projectUid, undefined, {
      offset: 0,
      limit: 9,
    });
    expect([total, ...episodes.map(({ uid }) => uid)]).toEqual([1, stays]);
    const found = await replica.episodes.findMatching(project.projectUid, [gone, stays], undefined);
    expect(found.map(({ uid }) => uid)).toEqual([stays]);
  });

  test('for one producer touches nothing that others said', async () => {
    await fresh();
    const batch = batchOf({ producerId: 'mira' }, { producerId: 'bob' }, { producerId: 'Mira' });
    await replica.episodes.add(project.tenant, batch);
    const [hers = '', ...others] = batch.episodes.map(({ uid }) => uid);
    const { uids } = await replica.unitOfWork.run((tx) =>
      replica.episodes.remove(project.projectUid, [...others, hers], tx, 'mira'),
    );
    expect(uids).toEqual([hers]);
    expect(await replica.count(project.projectUid)).toBe(2);
  });

  test('touches nothing of another project', async () => {
    await fresh();
    const [uid = ''] = await replica.addEach(project.tenant, ['mine']);
    const other = await replica.openProject();
    expect(await remove(other.projectUid, [uid])).toEqual([]);
    expect(await replica.count(project.projectUid)).toBe(1);
  });
});

describe('a page that would be too large for an answer', () => {
  const LARGE = 'x'.repeat(1_000_000);
  const page = (limit: number) => replica.episodes.list(project.projectUid, undefined, { offset: 0, limit });

  test('is refused before it is read, and smaller ones come to the end of the list', async () => {
    await fresh();
    const contents = Array.from({ length: 10 }, () => LARGE);
    await replica.addEach(project.tenant, contents);
    await expect(page(10)).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(/with a page_size of 7 or less, or send `cursor`/),
    });
    const first = await page(7);
    expect([first.total, first.episodes.length]).toEqual([10, 7]);
    const rest = await replica.episodes.list(project.projectUid, undefined, { offset: 7, limit: 7 });
    expect(rest.episodes).toHaveLength(3);
    const uids = [...first.episodes, ...rest.episodes].map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(10);
    await expect(replica.episodes.findMatching(project.projectUid, uids, undefined)).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('top_k'),
    });
  });

  test('is refused to semantic memory, too, where the metadata of few messages are too large', async () => {
    await fresh();
    const metadata = Object.fromEntries(
      Array.from({ length: 64 }, (_, key) => [`key ${key}`, '\u{1f600}'.repeat(8_192)]),
    );
    await add({ content: LARGE, metadata }, { metadata }, { metadata }, { metadata });
    const uids = (
      await database.query<{ uid: string }>('SELECT uid FROM episodic.episodes WHERE project_uid = $1', [
        project.projectUid,
      ])
    ).map(({ uid }) => uid);
    const describe = (some: readonly string[]) => replica.episodes.describe(project.projectUid, some, false);
    await expect(describe(uids)).rejects.toMatchObject({ code: 'body_too_large' });
    expect(await describe(uids.slice(0, 2))).toHaveLength(2);
    expect(await describe([])).toEqual([]);
  });
});

describe('what was said before', () => {
  const at = (minute: number): Instant => instant(`2024-05-01T10:${String(minute).padStart(2, '0')}:00Z`);
  const inSession = (session_id: string, minute: number, content: string): Partial<NewEpisode> => ({
    ...{ content, createdAt: at(minute), metadata: { session_id } },
  });

  test('is of the same conversations, before the first of each, the last of it, oldest first, and cut', async () => {
    await fresh();
    const batch = batchOf(
      ...[
        inSession('a', 1, 'long ago'),
        inSession('a', 2, 'the red one?'),
        inSession('b', 3, 'good morning'),
      ],
      ...[
        inSession('a', 4, 'or blue?'),
        inSession('a', 5, 'yes'),
        inSession('a', 6, 'blue'),
        inSession('c', 7, 'hi'),
      ],
    );
    await replica.episodes.add(project.tenant, batch);
    const uids = batch.episodes.slice(4).map(({ uid }) => uid);
    const before = await replica.episodes.preceding(project.projectUid, uids, { limit: 2, maxChars: 7 });
    expect(before.map(({ content }) => content)).toEqual(['the red', 'or blue']);
    const other = await replica.openProject();
    expect(await replica.episodes.preceding(other.projectUid, uids, { limit: 2, maxChars: 7 })).toEqual([]);
  });

  test('is not what was deleted or has expired', async () => {
    await fresh();
    const batch = batchOf(
      inSession('a', 1, 'deleted'),
      inSession('a', 2, 'expired'),
      inSession('a', 3, 'there'),
      inSession('a', 4, 'new'),
    );
    await replica.episodes.add(project.tenant, batch);
    const [gone = '', expired, , last = ''] = batch.episodes.map(({ uid }) => uid);
    await replica.unitOfWork.run((tx) => replica.episodes.remove(project.projectUid, [gone], tx));
    await database.query('UPDATE episodic.episodes SET expires_at = now() WHERE uid = $1', [expired]);
    const before = await replica.episodes.preceding(project.projectUid, [last], { limit: 9, maxChars: 100 });
    expect(before.map(({ content }) => content)).toEqual(['there']);
  });
});
