import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { type IndexSpace, type SpaceModel } from '@loci/indexing';
import { TestDatabase } from '@loci/testing';
import { migrate, Replica } from '../../test/replica.js';

const LEASE_MS = 60_000;
const OLD = 'old-4-00000000';
const MODEL: SpaceModel = { embedder: 'new', fingerprint: 'new-8-00000000', dimensions: 8 };
const OTHER: SpaceModel = { embedder: 'other', fingerprint: 'other-8-00000000', dimensions: 8 };

let database: TestDatabase;
let one: Replica;
let two: Replica;
let project: ProjectReference;
let active: IndexSpace;

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
  [one, two] = [await Replica.open(database.url), await Replica.open(database.url)];
  for (const model of [MODEL, OTHER]) await one.spaces.addCollection(model);
});

afterAll(async () => {
  await one.close();
  await two.close();
  await database.drop();
});

beforeEach(async () => {
  await database.query('DELETE FROM episodic.episodes');
  await database.query('DELETE FROM episodic.index_spaces');
  project = await one.openProject();
  active = await one.activate(project, OLD);
});

const spacesOf = async ({ projectUid }: ProjectReference): Promise<Record<string, string>> => {
  const { spaces } = await one.spaces.of(projectUid);
  return Object.fromEntries(spaces.map(({ embedder, state }) => [embedder, state]));
};

const begin = (to: SpaceModel): Promise<void> => one.moves.begin({ ownerUid: project.projectUid, to });

/** Claims what is to be built, as a worker does. */
const claim = async (replica = one): Promise<IndexSpace> => {
  const space = await replica.moves.claim(LEASE_MS);
  if (!space) throw new Error('There is nothing to build.');
  return space;
};

/** Notes the next episodes that are missing in a space as carried. @returns how many */
const carry = async (space: IndexSpace, limit = 100, replica = one): Promise<number> => {
  const missing = await replica.index.missing(space, undefined, limit);
  await replica.index.markIndexed(
    space,
    missing.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid })),
  );
  return missing.length;
};

const index = async (space: IndexSpace, uids: readonly string[], replica = one): Promise<string[]> => {
  const { wanted } = await replica.index.sort(space, uids);
  return replica.index.markIndexed(
    space,
    wanted.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid })),
  );
};

describe('which projects move', () => {
  test('those that follow the default, when it changes; those that chose an embedder, when they choose another', async () => {
    const chooser = await one.openProject();
    await one.activate(chooser, OLD);
    await one.projects.adoptModels({ ...chooser, models: { embedder: 'other', reranker: '', revision: 1 } });
    const due = await one.moves.due([MODEL, OTHER], 'new', 10);
    expect(Object.fromEntries(due.map(({ ownerUid, to }) => [ownerUid, to.embedder]))).toEqual({
      [project.projectUid]: 'new',
      [chooser.projectUid]: 'other',
    });
    expect(await one.moves.chosenNames()).toEqual(['other']);
  });

  test('none whose embedder is not ready, none that is under way, none that is closed', async () => {
    expect(await one.moves.due([OTHER], 'new', 10)).toEqual([]);
    await begin(MODEL);
    expect(await one.moves.due([MODEL], 'new', 10)).toEqual([]);
    const closed = await one.openProject();
    await one.activate(closed, OLD);
    await one.projects.close(closed);
    expect(await one.moves.due([MODEL], 'new', 10)).toEqual([]);
  });

  test('an embedder under another name but with the same vectors moves nothing; the name is noted', async () => {
    const renamed = { ...MODEL, embedder: 'renamed', fingerprint: OLD };
    const [move] = await one.moves.due([renamed], 'renamed', 10);
    if (move) await one.moves.begin(move);
    expect(await spacesOf(project)).toEqual({ renamed: 'active' });
  });
});

describe('a move', () => {
  test('ends when every episode is carried, those added meanwhile included', async () => {
    const first = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await index(active, first);
    await begin(MODEL);
    const space = await claim();
    expect(await carry(space, 2)).toBe(2);
    expect(await one.moves.complete(space)).toBe(false);
    const added = await one.addEach(project.tenant, ['d']);
    expect(await carry(space, 1)).toBe(1);
    expect(await one.moves.complete(space)).toBe(false);
    expect(await index(space, added)).toEqual([]);
    expect(await one.moves.complete(space)).toBe(true);
    expect(await spacesOf(project)).toEqual({ spec: 'retiring', new: 'active' });
    // the former embedder never had the last one; the new one has
    expect(await one.spaces.of(project.projectUid)).toMatchObject({ hasWaiting: false });
  });

  test('belongs to one worker at a time, and to another when that one is gone', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await index(active, uids);
    await begin(MODEL);
    const space = await claim();
    await carry(space, 1);
    expect(await two.moves.claim(LEASE_MS)).toBeUndefined();
    await database.query(`UPDATE episodic.index_spaces SET lease_until = now() - interval '1 second'`);
    const taken = await claim(two);
    expect(taken.uid).toBe(space.uid);
    expect(await two.moves.progress()).toEqual({ spaces: 1, items: 3, carried: 1 });
    expect(await carry(taken, 100, two)).toBe(2);
    // the one believed gone wakes up: both end well
    expect(await Promise.all([one.moves.complete(space), two.moves.complete(taken)])).toEqual([true, true]);
    expect(await spacesOf(project)).toEqual({ spec: 'retiring', new: 'active' });
  });

  test('to a third embedder drops the second in the middle, and nothing of it counts', async () => {
    await index(active, await one.addEach(project.tenant, ['a', 'b']));
    await begin(MODEL);
    const space = await claim();
    await carry(space);
    await begin(OTHER);
    expect(await spacesOf(project)).toEqual({ spec: 'active', new: 'retiring', other: 'building' });
    expect(await one.moves.renew(space, 1, LEASE_MS)).toBe(false);
    await one.moves.complete(space);
    expect(await spacesOf(project)).toMatchObject({ spec: 'active' });
    const other = await claim();
    expect(await carry(other)).toBe(2);
    expect(await one.moves.complete(other)).toBe(true);
  });

  test('back to where the project is ends it; back to a space that retires begins it anew', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    const first = await claim();
    await carry(first);
    await begin({ ...MODEL, embedder: 'spec', fingerprint: OLD });
    expect(await spacesOf(project)).toEqual({ spec: 'active', new: 'retiring' });
    await begin(MODEL);
    expect(await spacesOf(project)).toEqual({ spec: 'active', new: 'building' });
    expect(await carry(await claim())).toBe(1);
  });

  test('does not lose an episode that is noted for the former space at the moment of the change', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    const space = await claim();
    await carry(space);
    const late = await two.addEach(project.tenant, ['late']);
    const [, isComplete] = await Promise.all([index(active, late, two), one.moves.complete(space)]);
    if (!isComplete) {
      await carry(space);
      expect(await one.moves.complete(space)).toBe(true);
    }
    // whatever came first: it is in the new space, or waits for it
    const [row] = await database.query<{ found: boolean }>(
      `SELECT indexed_at IS NULL OR carried_to = $2 AS found FROM episodic.episodes WHERE uid = $1`,
      [late[0], space.uid],
    );
    expect(row).toEqual({ found: true });
  });

  test('nothing is noted for a space that is not used any more', async () => {
    await begin(MODEL);
    await one.moves.complete(await claim());
    const late = await one.addEach(project.tenant, ['late']);
    expect(await index(active, late)).toEqual([]);
    expect(await one.spaces.of(project.projectUid)).toMatchObject({ hasWaiting: true });
  });

  test('an episode deleted while it is carried is named, and does not hold up the end', async () => {
    const [stays = '', deleted = ''] = await one.addEach(project.tenant, ['a', 'b']);
    await index(active, [stays, deleted]);
    await begin(MODEL);
    const space = await claim();
    const missing = await one.index.missing(space, undefined, 10);
    await one.unitOfWork.run((tx) => one.episodes.remove(project.projectUid, [deleted], tx));
    const carried = missing.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    expect(await one.index.markIndexed(space, carried)).toEqual([deleted]);
    expect(await one.moves.complete(space)).toBe(true);
  });

  test('begins anew when its collection was lost', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    const space = await claim();
    await carry(space);
    await one.spaces.restart(MODEL.fingerprint);
    expect(await one.moves.complete(space)).toBe(true);
    const again = await claim();
    expect(again.uid).not.toBe(space.uid);
    expect(await one.moves.complete(again)).toBe(false);
    expect(await carry(again)).toBe(1);
  });
});

describe('a space that retired', () => {
  test('is removed once, after a while, and stays when its vectors could not be removed', async () => {
    await begin(MODEL);
    await one.moves.complete(await claim());
    const removed: string[] = [];
    const remove = (space: IndexSpace): Promise<void> => Promise.resolve(void removed.push(space.uid));
    expect(await one.moves.removeRetired(LEASE_MS, remove)).toBe(false);
    await expect(one.moves.removeRetired(0, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await one.moves.removeRetired(0, remove)).toBe(true);
    expect(await two.moves.removeRetired(0, remove)).toBe(false);
    expect(removed).toEqual([active.uid]);
    expect(await spacesOf(project)).toEqual({ new: 'active' });
  });
});
