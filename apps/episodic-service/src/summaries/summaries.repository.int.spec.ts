import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { type TestDatabase } from '@loci/testing';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type ClaimedSummary } from './summaries.repository.js';

const LEASE_MS = 60_000;
/** Two episodes of ten characters. */
const WINDOW = 20;
const REACH = { episodes: 100, chars: 1_000 };

let database: TestDatabase;
let one: Replica;
let two: Replica;
let project: ProjectReference;
let enqueued: string[];

useReplicas(async (opened) => {
  ({ database } = opened);
  [one, two] = [await opened.openReplica(), await opened.openReplica()];
});

beforeEach(async () => {
  project = await one.openProject();
  enqueued = [];
});

const enqueue = (_: unknown, { projectUid }: ProjectReference): Promise<void> => {
  if (projectUid === project.projectUid) enqueued.push(projectUid);
  return Promise.resolve();
};

const say = async (...names: string[]): Promise<string[]> => {
  const uids = await one.addEach(
    project.tenant,
    names.map((name) => name.padEnd(10, '.')),
  );
  await one.summaries.want(project, uids, enqueue);
  return uids;
};

const claim = async (replica = one): Promise<ClaimedSummary> => {
  const claimed = await replica.summaries.claim(project.projectUid, LEASE_MS);
  if (!claimed) throw new Error('There is nothing to claim.');
  return claimed;
};

const next = async (): Promise<string[]> => {
  const { episodes } = await one.summaries.next(project.projectUid, WINDOW, 100);
  return episodes.map(({ content }) => content.replaceAll('.', ''));
};

const save = async (claimed: ClaimedSummary, text: string, replica = one): Promise<boolean> => {
  const { episodes } = await one.summaries.next(project.projectUid, WINDOW, 100);
  return replica.summaries.save(claimed, text, episodes);
};

const finish = async (claimed: ClaimedSummary): Promise<void> => {
  const { windowFrom } = await one.summaries.next(project.projectUid, WINDOW, 100);
  await one.summaries.finish(claimed, windowFrom);
};

const remove = (uid: string | undefined): Promise<unknown> =>
  one.unitOfWork.run((tx) => one.episodes.remove(project.projectUid, uid ? [uid] : [], tx));

describe('what is to be summarised', () => {
  test('is nothing until something falls out of the window, then that and the older half of the window', async () => {
    await say('a', 'b');
    expect(await next()).toEqual([]);
    await say('c');
    expect(await next()).toEqual(['a', 'b']);
    await save(await claim(), 'a and b');
    await say('d');
    expect(await next()).toEqual([]);
    await say('e');
    expect(await next()).toEqual(['c', 'd']);
  });

  test('is also what was said long ago but is added now', async () => {
    await say('a', 'b', 'c');
    await save(await claim(), 'a and b');
    const old = batchOf({ content: 'old'.padEnd(10, '.'), createdAt: instant('1990-01-01T00:00:00Z') });
    await one.episodes.add(project.tenant, old);
    const uids = old.episodes.map(({ uid }) => uid);
    await one.summaries.want(project, uids, enqueue);
    expect(await next()).toEqual(['old']);
  });

  test.each([
    ['of nothing', []],
    ['of what was said before', ['x', 'y', 'z']],
  ])(
    'is also what comes while a model writes, dated among what it has read: a summary %s',
    async (_, before) => {
      if (before.length > 0) {
        await say(...before);
        await save(await claim(), 'x and y');
        await database.query(`UPDATE episodic.summaries SET lease_until = NULL`);
      }
      const [a = ''] = await say('a', 'b', 'c');
      const claimed = await claim();
      const { episodes } = await one.summaries.next(project.projectUid, WINDOW, 100);
      const [row] = await database.query<{ at: string }>(
        `SELECT to_char(created_at + interval '1 us', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM episodic.episodes WHERE uid = $1`,
        [a],
      );
      const late = batchOf({ content: 'late'.padEnd(10, '.'), createdAt: instant(row?.at ?? '') });
      await one.episodes.add(project.tenant, late);
      await one.summaries.want(
        project,
        late.episodes.map(({ uid }) => uid),
        enqueue,
      );
      await one.summaries.save(claimed, 'all but what came late', episodes);
      expect(await next()).toEqual(['late']);
      await save(claimed, 'all');
      expect(await next()).toEqual([]);
    },
  );

  test('is nothing that expires within the hour', async () => {
    const [a] = await say('a', 'b', 'c');
    await database.query(
      `UPDATE episodic.episodes SET expires_at = now() + interval '59 minutes' WHERE uid = $1`,
      [a],
    );
    expect(await next()).toEqual([]);
    await say('d');
    expect(await next()).toEqual(['b', 'c']);
  });

  test('is not looked for again among what was left out, but for what was added meanwhile', async () => {
    const completeTo = async (): Promise<unknown> => {
      const [row] = await database.query<{ said: string | null }>(
        `SELECT (SELECT content FROM episodic.episodes WHERE created_at = complete_to AND project_uid = $1) AS said
         FROM episodic.summaries WHERE project_uid = $1`,
        [project.projectUid],
      );
      return row?.said?.replaceAll('.', '');
    };
    await database.query(`UPDATE episodic.episodes SET expires_at = now() + interval '59 minutes'`);
    await say('a', 'b', 'c');
    await database.query(`UPDATE episodic.episodes SET expires_at = now() + interval '59 minutes'`);
    const claimed = await claim();
    await say('d');
    await finish(claimed);
    expect(await completeTo()).toBeUndefined();
    await finish(await claim());
    expect(await completeTo()).toBe('c');
  });
});

describe('the work', () => {
  test('is enqueued once until a worker begins it, and again when none does', async () => {
    await say('a');
    await say('b');
    expect(enqueued).toEqual([project.projectUid]);
    await one.summaries.enqueueOverdue(LEASE_MS, 10, enqueue);
    expect(enqueued).toHaveLength(1);
    await one.summaries.enqueueOverdue(0, 10, enqueue);
    expect(enqueued).toHaveLength(2);
  });

  test('belongs to one worker; a worker whose lease has ended writes nothing', async () => {
    await say('a', 'b', 'c');
    const claimed = await claim();
    expect(await two.summaries.claim(project.projectUid, LEASE_MS)).toBeUndefined();
    await database.query(`UPDATE episodic.summaries SET lease_until = now() - interval '1 second'`);
    const successor = await claim(two);
    expect(await save(claimed, 'of the first')).toBe(false);
    expect(await save(successor, 'of the second', two)).toBe(true);
    expect(await one.summaries.textOf(project.projectUid)).toBe('of the second');
  });

  test('that was wanted again meanwhile, or was not finished, is still wanted', async () => {
    await say('a', 'b', 'c');
    const claimed = await claim();
    await say('d');
    await finish(claimed);
    const again = await claim();
    await one.summaries.fail(again);
    expect(await one.summaries.claim(project.projectUid, LEASE_MS)).toBeUndefined();
    await database.query('UPDATE episodic.summaries SET retry_at = now()');
    expect(await claim()).toBeDefined();
  });

  test('is over when it is finished', async () => {
    await say('a');
    await finish(await claim());
    expect(await one.summaries.claim(project.projectUid, LEASE_MS)).toBeUndefined();
  });
});

describe('the work that ends its process', () => {
  const expire = (): Promise<unknown> =>
    database.query(`UPDATE episodic.summaries SET lease_until = now() - interval '1 second'`);

  /** A worker claims the work, and dies. @returns whether there was anything to claim */
  const die = async (): Promise<boolean> => {
    const claimed = await one.summaries.claim(project.projectUid, LEASE_MS);
    await expire();
    return claimed !== undefined;
  };

  test('three times is set aside, also when more is said; other projects go on, the text stays', async () => {
    await say('a', 'b', 'c');
    await save(await claim(), 'a and b');
    await database.query(`UPDATE episodic.summaries SET lease_until = NULL, unfinished = 0`);
    for (let deaths = 0; deaths < 3; deaths += 1) expect(await die()).toBe(true);
    expect(await die()).toBe(false);
    await say('d');
    expect(await die()).toBe(false);
    enqueued = [];
    await one.summaries.enqueueOverdue(0, 10, enqueue);
    expect(enqueued).not.toContain(project.projectUid);
    expect(await one.summaries.textOf(project.projectUid)).toBe('a and b');
    project = await one.openProject();
    await say('a');
    expect(await claim()).toMatchObject({ key: project.projectUid });
  });

  test('is begun anew when a deleted episode took the text with it', async () => {
    const [a] = await say('a', 'b', 'c');
    await save(await claim(), 'a and b');
    await database.query(`UPDATE episodic.summaries SET lease_until = NULL, unfinished = 3`);
    expect(await die()).toBe(false);
    await remove(a);
    expect(await die()).toBe(true);
  });

  test('is counted anew after a text that was stored, and not when it was taken back', async () => {
    await say('a', 'b', 'c');
    await die();
    await die();
    const claimed = await claim();
    expect(claimed.unfinished).toBe(2);
    await save(claimed, 'a and b');
    await expire();
    const stopped = await claim();
    expect(stopped.unfinished).toBe(1);
    await one.summaries.takeBack(stopped);
    await expire();
    expect((await claim()).unfinished).toBe(1);
  });
});

describe('a deleted episode', () => {
  test('that is in the summary takes the summary with it; it is written anew from all others', async () => {
    const [a] = await say('a', 'b', 'c', 'd');
    await save(await claim(), 'a to c');
    const claimed = await claimAfterLease();
    await remove(a);
    expect(await two.summaries.textOf(project.projectUid)).toBe('');
    expect(await save(claimed, 'too late')).toBe(false);
    const renewed = await claim(two);
    expect(renewed.isReset).toBe(true);
    await two.summaries.settleReset(renewed, WINDOW, REACH);
    expect(await next()).toEqual(['b', 'c']);
    expect(await save(renewed, 'b and c', two)).toBe(true);
  });

  describe('that is in the summary', () => {
    const begin = async (reach: Partial<typeof REACH>): Promise<ClaimedSummary> => {
      const [a] = await say('a', 'b', 'c', 'd', 'e', 'f');
      await save(await claim(), 'a to e');
      await remove(a);
      const renewed = await claim();
      await one.summaries.settleReset(renewed, WINDOW, { ...REACH, ...reach });
      return renewed;
    };

    test.each([{ episodes: 2 }, { chars: 20 }])(
      'has it written anew from shortly before the window: %j',
      async (reach) => {
        await begin(reach);
        expect(await next()).toEqual(['c', 'd', 'e']);
      },
    );

    test('has it written anew from there also where all was said at one time', async () => {
      await say('a', 'b', 'c', 'd', 'e', 'f');
      await database.query(`UPDATE episodic.episodes SET created_at = '2024-05-01' WHERE project_uid = $1`, [
        project.projectUid,
      ]);
      await save(await claim(), 'a to e');
      const [first] = await database.query<{ uid: string }>(
        `SELECT uid FROM episodic.episodes WHERE project_uid = $1 ORDER BY uid LIMIT 1`,
        [project.projectUid],
      );
      await remove(first?.uid);
      await one.summaries.settleReset(await claim(), WINDOW, { ...REACH, episodes: 2 });
      expect(await next()).toHaveLength(3);
    });

    test('has what was said before that left out, when it is deleted or comes late, too', async () => {
      const renewed = await begin({ episodes: 2 });
      await save(renewed, 'c to e');
      const old = batchOf({ content: 'old'.padEnd(10, '.'), createdAt: instant('1990-01-01T00:00:00Z') });
      await one.episodes.add(project.tenant, old);
      const uids = old.episodes.map(({ uid }) => uid);
      await one.summaries.want(project, uids, enqueue);
      await say('g', 'h');
      expect(await next()).toEqual(['f', 'g']);
      const [b] = await database.query<{ uid: string }>(
        `SELECT uid FROM episodic.episodes WHERE content LIKE 'b%' AND project_uid = $1`,
        [project.projectUid],
      );
      await remove(b?.uid);
      expect(await one.summaries.textOf(project.projectUid)).toBe('c to e');
    });
  });

  test('while a model reads it, never comes into the summary', async () => {
    const [a] = await say('a', 'b', 'c');
    const claimed = await claim();
    const { episodes } = await one.summaries.next(project.projectUid, WINDOW, 100);
    await remove(a);
    expect(await one.summaries.save(claimed, 'with a', episodes)).toBe(false);
    expect(await one.summaries.textOf(project.projectUid)).toBe('');
  });

  test('that was never summarised changes nothing', async () => {
    const [, , , d] = await say('a', 'b', 'c', 'd');
    await save(await claim(), 'a to c');
    await remove(d);
    expect(await one.summaries.textOf(project.projectUid)).toBe('a to c');
  });
});

const claimAfterLease = async (): Promise<ClaimedSummary> => {
  await database.query(`UPDATE episodic.summaries SET lease_until = NULL`);
  return claim();
};
