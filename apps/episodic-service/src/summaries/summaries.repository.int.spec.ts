import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { type TestDatabase } from '@loci/testing';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type ClaimedSummary } from './summaries.repository.js';

const LEASE_MS = 60_000;
/** Two episodes of ten characters. */
const WINDOW = 20;

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

const enqueue = (_: unknown, { projectUid }: ProjectReference): Promise<void> =>
  Promise.resolve(void enqueued.push(projectUid));

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
  const episodes = await one.summaries.next(project.projectUid, WINDOW, 100);
  return episodes.map(({ content }) => content.replaceAll('.', ''));
};

const save = async (claimed: ClaimedSummary, text: string, replica = one): Promise<boolean> =>
  replica.summaries.save(claimed, text, await one.summaries.next(project.projectUid, WINDOW, 100));

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
    await one.summaries.finish(claimed);
    const again = await claim();
    await one.summaries.fail(again);
    expect(await claim()).toBeDefined();
  });

  test('is over when it is finished', async () => {
    await say('a');
    await one.summaries.finish(await claim());
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
    await two.summaries.settleReset(renewed);
    expect(await next()).toEqual(['b', 'c']);
    expect(await save(renewed, 'b and c', two)).toBe(true);
  });

  test('while a model reads it, never comes into the summary', async () => {
    const [a] = await say('a', 'b', 'c');
    const claimed = await claim();
    const episodes = await one.summaries.next(project.projectUid, WINDOW, 100);
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
