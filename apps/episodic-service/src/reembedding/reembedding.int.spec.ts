import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { type ClaimedIndexVersion, type IndexVersion, type IndexVersionModel } from '@loci/indexing';
import { type TestDatabase } from '@loci/testing';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';

const LEASE_MS = 60_000;
const OLD = 'old-4-00000000';
const MODEL: IndexVersionModel = { embedder: 'new', fingerprint: 'new-8-00000000', dimensions: 8 };
const OTHER: IndexVersionModel = { embedder: 'other', fingerprint: 'other-8-00000000', dimensions: 8 };

let database: TestDatabase;
let one: Replica;
let two: Replica;
let project: ProjectReference;
let active: IndexVersion;

useReplicas(async (opened) => {
  ({ database } = opened);
  [one, two] = [await opened.openReplica(), await opened.openReplica()];
  for (const model of [MODEL, OTHER]) await one.indexVersions.addCollection(model);
});

beforeEach(async () => {
  await database.query('DELETE FROM episodic.episodes');
  await database.query('DELETE FROM episodic.index_spaces');
  project = await one.openProject();
  active = await one.activate(project, OLD);
});

const indexVersionsOf = async ({ projectUid }: ProjectReference): Promise<Record<string, string>> => {
  const { indexVersions } = await one.indexVersions.of(projectUid);
  return Object.fromEntries(indexVersions.map(({ embedder, state }) => [embedder, state]));
};

const begin = (to: IndexVersionModel): Promise<void> =>
  one.reembeddings.begin({ ownerUid: project.projectUid, to });

/** Claims what is to be built, as a worker does. */
const claim = async (replica = one): Promise<ClaimedIndexVersion> => {
  const indexVersion = await replica.reembeddings.claim(LEASE_MS);
  if (!indexVersion) throw new Error('There is nothing to build.');
  return indexVersion;
};

const expire = (): Promise<unknown> =>
  database.query(`UPDATE episodic.index_spaces SET lease_until = now() - interval '1 second'`);

/** Marks the next episodes that are missing in an index version as re-embedded. @returns how many */
const reembed = async (indexVersion: IndexVersion, limit = 100, replica = one): Promise<number> => {
  const missing = await replica.index.missing(indexVersion, limit);
  await replica.index.markIndexed(
    indexVersion,
    missing.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid })),
  );
  return missing.length;
};

const index = async (
  indexVersion: IndexVersion,
  uids: readonly string[],
  replica = one,
): Promise<string[]> => {
  const { wanted } = await replica.index.sort(indexVersion, uids);
  return replica.index.markIndexed(
    indexVersion,
    wanted.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid })),
  );
};

/** As if no other embedder had embedded any episode but that of an index version that is being built. */
const carryAllTo = ({ uid }: IndexVersion): Promise<unknown> =>
  database.query('UPDATE episodic.episodes SET in_long_term = true, indexed_at = NULL, carried_to = $1', [
    uid,
  ]);

const waiting = async (): Promise<number> => {
  const [row] = await database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM episodic.episodes WHERE indexed_at IS NULL AND in_long_term',
  );
  return row?.count ?? NaN;
};

describe('which projects are re-embedded', () => {
  test('those that follow the default, when it changes; those that chose an embedder, when they choose another', async () => {
    const chooser = await one.openProject();
    await one.activate(chooser, OLD);
    await one.projects.adoptModels({ ...chooser, models: { embedder: 'other', reranker: '', revision: 1 } });
    const { due } = await one.reembeddings.due([MODEL, OTHER], 'new', 10);
    expect(Object.fromEntries(due.map(({ ownerUid, to }) => [ownerUid, to.embedder]))).toEqual({
      [project.projectUid]: 'new',
      [chooser.projectUid]: 'other',
    });
    expect(await one.reembeddings.chosenNames()).toEqual(['other']);
  });

  test('none whose embedder is not ready, none that is under way, none that is closed', async () => {
    expect((await one.reembeddings.due([OTHER], 'new', 10)).due).toEqual([]);
    await begin(MODEL);
    expect((await one.reembeddings.due([MODEL], 'new', 10)).due).toEqual([]);
    const closed = await one.openProject();
    await one.activate(closed, OLD);
    await one.projects.close(closed);
    expect((await one.reembeddings.due([MODEL], 'new', 10)).due).toEqual([]);
  });

  test('are found a few at a time, each once', async () => {
    const others = [await one.openProject(), await one.openProject()];
    for (const other of others) await one.activate(other, OLD);
    const found: string[] = [];
    let after: string | undefined;
    for (;;) {
      const { due, last } = await one.reembeddings.due([MODEL], 'new', 1, after);
      if (last === undefined) break;
      found.push(...due.map(({ ownerUid }) => ownerUid));
      after = last;
    }
    expect(found.sort()).toEqual([project, ...others].map(({ projectUid }) => projectUid).sort());
  });

  test('an embedder under another name but with the same vectors re-embeds nothing; the name is noted', async () => {
    const renamed = { ...MODEL, embedder: 'renamed', fingerprint: OLD };
    const {
      due: [reembedding],
    } = await one.reembeddings.due([renamed], 'renamed', 10);
    if (reembedding) await one.reembeddings.begin(reembedding);
    expect(await indexVersionsOf(project)).toEqual({ renamed: 'active' });
  });
});

describe('re-embedding', () => {
  test('ends when every episode is re-embedded, those added meanwhile included', async () => {
    const first = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await index(active, first);
    await begin(MODEL);
    const indexVersion = await claim();
    expect(await reembed(indexVersion, 2)).toBe(2);
    expect(await one.reembeddings.complete(indexVersion)).toBe(false);
    const added = await one.addEach(project.tenant, ['d']);
    expect(await reembed(indexVersion, 1)).toBe(1);
    expect(await one.reembeddings.complete(indexVersion)).toBe(false);
    expect(await index(indexVersion, added)).toEqual([]);
    expect(await one.reembeddings.complete(indexVersion)).toBe(true);
    expect(await indexVersionsOf(project)).toEqual({ spec: 'retiring', new: 'active' });
    // the former embedder never had the last one; the new one has
    expect(await one.indexVersions.of(project.projectUid)).toMatchObject({ hasWaiting: false });
  });

  test('belongs to one worker at a time, and to another when that one is gone', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await index(active, uids);
    await begin(MODEL);
    const indexVersion = await claim();
    await one.reembeddings.count(indexVersion);
    await one.reembeddings.note(indexVersion, await reembed(indexVersion, 1));
    expect(await two.reembeddings.claim(LEASE_MS)).toBeUndefined();
    await expire();
    const taken = await claim(two);
    expect(taken.uid).toBe(indexVersion.uid);
    expect(await two.reembeddings.progress()).toEqual({ indexVersions: 1, items: 3, carried: 1 });
    expect(await reembed(taken, 100, two)).toBe(2);
    // the one believed gone wakes up: both end well
    expect(
      await Promise.all([one.reembeddings.complete(indexVersion), two.reembeddings.complete(taken)]),
    ).toEqual([true, true]);
    expect(await indexVersionsOf(project)).toEqual({ spec: 'retiring', new: 'active' });
  });

  test('is counted once: each step adds to it, and what came later counts with the step that embeds it', async () => {
    await index(active, await one.addEach(project.tenant, ['a', 'b']));
    await begin(MODEL);
    const indexVersion = await claim();
    await one.reembeddings.count(indexVersion);
    expect(await one.reembeddings.progress()).toEqual({ indexVersions: 1, items: 2, carried: 0 });
    await one.addEach(project.tenant, ['c']);
    await one.reembeddings.note(indexVersion, 1);
    await one.reembeddings.count(indexVersion);
    expect(await one.reembeddings.progress()).toEqual({ indexVersions: 1, items: 2, carried: 1 });
    await one.reembeddings.note(indexVersion, 2);
    expect(await one.reembeddings.progress()).toEqual({ indexVersions: 1, items: 3, carried: 3 });
    await one.addEach(project.tenant, ['d']);
    await one.reembeddings.count(indexVersion);
    expect(await one.reembeddings.progress()).toEqual({ indexVersions: 1, items: 3, carried: 3 });
  });

  test('whose count took too long at the beginning is not counted again', async () => {
    await index(active, await one.addEach(project.tenant, ['a', 'b']));
    await begin(MODEL);
    const indexVersion = await claim();
    await one.reembeddings.note(indexVersion, 1);
    await one.reembeddings.count(indexVersion);
    expect(await one.reembeddings.progress()).toEqual({ indexVersions: 1, items: 1, carried: 1 });
  });

  test('marks what had waited for the former embedder a thousand at a time, and nothing for one that was left', async () => {
    await begin(MODEL);
    const indexVersion = await claim();
    await one.addMany(project.projectUid, 2_500, 'now()');
    await carryAllTo(indexVersion);
    expect(await one.reembeddings.complete(indexVersion)).toBe(true);
    expect(await waiting()).toBe(1_500);
    expect(await one.reembeddings.markSome(indexVersion)).toBe(true);
    expect(await waiting()).toBe(500);
    await begin(OTHER);
    const other = await claim();
    await carryAllTo(other);
    expect(await one.reembeddings.complete(other)).toBe(true);
    await carryAllTo(indexVersion);
    expect(await one.reembeddings.markSome(indexVersion)).toBe(false);
    expect(await waiting()).toBe(2_500);
  });

  test('of an embedder that is busy is left alone, and one with a problem comes after those without', async () => {
    const [beside, another] = [await one.openProject(), await one.openProject()];
    for (const other of [beside, another]) await one.activate(other, OLD);
    await begin(MODEL);
    for (const other of [beside, another])
      await one.reembeddings.begin({ ownerUid: other.projectUid, to: OTHER });
    const first = await one.reembeddings.claim(LEASE_MS, { busy: ['other'] });
    expect(first?.ownerUid).toBe(project.projectUid);
    expect(await one.reembeddings.claim(LEASE_MS, { busy: ['other'] })).toBeUndefined();
    if (first) await one.reembeddings.release(first, -1, 'The provider is down.');
    const others = [await claim(), await claim()];
    expect(others.map(({ embedder }) => embedder)).toEqual(['other', 'other']);
    expect((await claim()).ownerUid).toBe(project.projectUid);
  });

  test('is of the organization that was served longest ago, however many others wait', async () => {
    await begin(MODEL);
    for (const orgId of ['acme', 'acme', 'globex', 'hooli']) {
      const other = await one.openProject(orgId);
      await one.activate(other, OLD);
      await one.reembeddings.begin({ ownerUid: other.projectUid, to: MODEL });
    }
    const claimedBeside = async (served: string[]): Promise<string | undefined> => {
      const claimed = await one.reembeddings.claim(LEASE_MS, { served });
      return claimed?.orgId;
    };
    expect(await claimedBeside([])).toBe('acme');
    expect(await claimedBeside(['globex', 'acme'])).toBe('hooli');
    expect(await claimedBeside(['hooli', 'acme', 'globex'])).toBe('acme');
    expect(await claimedBeside(['globex', 'acme'])).toBe('globex');
    expect(await claimedBeside(['acme'])).toBe('acme');
  });

  test('that was taken over cannot be renewed or released by the worker that had it before', async () => {
    await begin(MODEL);
    const late = await claim();
    await expire();
    const next = await claim(two);
    expect(await one.reembeddings.renew(late, LEASE_MS)).toBe(false);
    await one.reembeddings.release(late, 0, 'The late one met a problem.');
    expect(await one.reembeddings.problemOf(next)).toBeUndefined();
    expect(await one.reembeddings.claim(LEASE_MS)).toBeUndefined();
    expect(await two.reembeddings.renew(next, LEASE_MS)).toBe(true);
    await two.reembeddings.release(next, 0, 'The next one met a problem.');
    expect(await one.reembeddings.problemOf(next)).toBe('The next one met a problem.');
  });

  test('to a third embedder drops the second in the middle, and nothing of it counts', async () => {
    await index(active, await one.addEach(project.tenant, ['a', 'b']));
    await begin(MODEL);
    const indexVersion = await claim();
    await reembed(indexVersion);
    await begin(OTHER);
    expect(await indexVersionsOf(project)).toEqual({ spec: 'active', new: 'retiring', other: 'building' });
    expect(await one.reembeddings.renew(indexVersion, LEASE_MS)).toBe(false);
    await one.reembeddings.complete(indexVersion);
    expect(await indexVersionsOf(project)).toMatchObject({ spec: 'active' });
    const other = await claim();
    expect(await reembed(other)).toBe(2);
    expect(await one.reembeddings.complete(other)).toBe(true);
  });

  test('back to where the project is ends it; back to an index version that retires begins it anew', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    const first = await claim();
    await reembed(first);
    await begin({ ...MODEL, embedder: 'spec', fingerprint: OLD });
    expect(await indexVersionsOf(project)).toEqual({ spec: 'active', new: 'retiring' });
    await begin(MODEL);
    expect(await indexVersionsOf(project)).toEqual({ spec: 'active', new: 'building' });
    expect(await reembed(await claim())).toBe(1);
  });

  test('does not lose an episode that is noted for the former index version at the moment of the change', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    const indexVersion = await claim();
    await reembed(indexVersion);
    const late = await two.addEach(project.tenant, ['late']);
    const [, isComplete] = await Promise.all([
      index(active, late, two),
      one.reembeddings.complete(indexVersion),
    ]);
    if (!isComplete) {
      await reembed(indexVersion);
      expect(await one.reembeddings.complete(indexVersion)).toBe(true);
    }
    // whatever came first: it is in the new index version, or waits for it
    const [row] = await database.query<{ found: boolean }>(
      `SELECT indexed_at IS NULL OR carried_to = $2 AS found FROM episodic.episodes WHERE uid = $1`,
      [late[0], indexVersion.uid],
    );
    expect(row).toEqual({ found: true });
  });

  test('nothing is noted for an index version that is not used any more', async () => {
    await begin(MODEL);
    await one.reembeddings.complete(await claim());
    const late = await one.addEach(project.tenant, ['late']);
    expect(await index(active, late)).toEqual([]);
    expect(await one.indexVersions.of(project.projectUid)).toMatchObject({ hasWaiting: true });
  });

  test('an episode deleted while it is re-embedded is named, and does not delay the end', async () => {
    const [stays = '', deleted = ''] = await one.addEach(project.tenant, ['a', 'b']);
    await index(active, [stays, deleted]);
    await begin(MODEL);
    const indexVersion = await claim();
    const missing = await one.index.missing(indexVersion, 10);
    await one.unitOfWork.run((tx) => one.episodes.remove(project.projectUid, [deleted], tx));
    const carried = missing.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid }));
    expect(await one.index.markIndexed(indexVersion, carried)).toEqual([deleted]);
    expect(await one.reembeddings.complete(indexVersion)).toBe(true);
  });

  test('begins anew when its collection was lost', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    const indexVersion = await claim();
    await reembed(indexVersion);
    await one.indexVersions.restart(MODEL.fingerprint);
    expect(await one.reembeddings.complete(indexVersion)).toBe(true);
    const again = await claim();
    expect(again.uid).not.toBe(indexVersion.uid);
    expect(await one.reembeddings.complete(again)).toBe(false);
    expect(await reembed(again)).toBe(1);
  });
});

describe('re-embedding that ends its process', () => {
  /** A worker claims what is to be built, and dies. @returns whose work it was */
  const die = async (steps = 0): Promise<string | undefined> => {
    const claimed = await one.reembeddings.claim(LEASE_MS);
    if (claimed && steps > 0) await one.reembeddings.note(claimed, steps);
    await expire();
    return claimed?.ownerUid;
  };

  test('three times is set aside and says so; other projects go on, searches stay where they are', async () => {
    await index(active, await one.addEach(project.tenant, ['a']));
    await begin(MODEL);
    for (let deaths = 0; deaths < 3; deaths += 1) expect(await die()).toBe(project.projectUid);
    expect(await die()).toBeUndefined();
    const other = await one.openProject();
    await one.activate(other, OLD);
    await one.reembeddings.begin({ ownerUid: other.projectUid, to: MODEL });
    const claimed = await claim(two);
    expect(claimed.ownerUid).toBe(other.projectUid);
    expect(await two.reembeddings.complete(claimed)).toBe(true);
    const { indexVersions } = await one.indexVersions.of(project.projectUid);
    const building = indexVersions.find(({ state }) => state === 'building');
    expect(building && (await one.reembeddings.problemOf(building))).toContain('3 times in a row');
    expect(await indexVersionsOf(project)).toEqual({ spec: 'active', new: 'building' });
    // another embedder is other work
    await begin(OTHER);
    expect((await claim()).embedder).toBe('other');
  });

  test('has no other such beside it where a worker says so; what was not begun before does', async () => {
    await begin(MODEL);
    await die();
    expect(await one.reembeddings.claim(LEASE_MS, { mayBeUnfinished: false })).toBeUndefined();
    const other = await one.openProject();
    await one.activate(other, OLD);
    await one.reembeddings.begin({ ownerUid: other.projectUid, to: MODEL });
    const begun = await one.reembeddings.claim(LEASE_MS, { mayBeUnfinished: false });
    expect(begun?.ownerUid).toBe(other.projectUid);
  });

  test('is counted anew after a step that was stored, and not when it ended in order or was taken back', async () => {
    await begin(MODEL);
    await die();
    await die();
    await die(1);
    await die();
    const stopped = await claim();
    expect(stopped.unfinished).toBe(2);
    await one.reembeddings.takeBack(stopped);
    await expire();
    const failed = await claim();
    expect(failed.unfinished).toBe(2);
    await one.reembeddings.release(failed, 0, 'The provider is down.');
    expect((await claim()).unfinished).toBe(0);
  });
});

describe('an index version that retired', () => {
  test('is removed once, after a while, and stays when its vectors could not be removed', async () => {
    await begin(MODEL);
    await one.reembeddings.complete(await claim());
    const removed: string[] = [];
    const remove = (indexVersion: IndexVersion): Promise<void> =>
      Promise.resolve(void removed.push(indexVersion.uid));
    expect(await one.reembeddings.removeRetired(LEASE_MS, remove)).toBe(false);
    await expect(one.reembeddings.removeRetired(0, () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    );
    expect(await one.reembeddings.removeRetired(0, remove)).toBe(true);
    expect(await two.reembeddings.removeRetired(0, remove)).toBe(false);
    expect(removed).toEqual([active.uid]);
    expect(await indexVersionsOf(project)).toEqual({ new: 'active' });
  });
});
