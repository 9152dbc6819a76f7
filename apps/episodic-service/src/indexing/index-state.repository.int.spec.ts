import { beforeEach, describe, expect, test } from '@jest/globals';
import { type EpisodesReference, indexEpisodes, type Instant, type ProjectReference } from '@loci/contracts';
import { type IndexVersion } from '@loci/indexing';
import { READ_IN_WINDOWS } from '@loci/models';
import { type Transaction } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { pointVersionOf } from './episode-points.js';
import { type PreviousTurn } from './episode-in-context.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let database: TestDatabase;
let one: Replica;
let two: Replica;
let project: ProjectReference;
let indexVersion: IndexVersion;

const FINGERPRINT = 'spec-model-4-00000000';

useReplicas(async (opened) => {
  ({ database } = opened);
  [one, two] = [await opened.openReplica(), await opened.openReplica()];
});

beforeEach(async () => {
  await database.query('DELETE FROM episodic.episodes');
  project = await one.openProject();
  indexVersion = await one.activate(project, FINGERPRINT);
});

const remove = (uids: readonly string[]): Promise<unknown> =>
  one.unitOfWork.run((tx) => one.episodes.remove(project.projectUid, uids, tx));

const waiting = async (): Promise<string[]> =>
  (await one.index.waiting(project.projectUid, { rows: 100, bytes: 1_000_000 })).items.map(({ uid }) => uid);

const sorted = async (uids: readonly string[]): Promise<{ wanted: string[]; gone: string[] }> => {
  const { wanted, gone } = await one.index.sort(indexVersion, uids);
  return { wanted: wanted.map(({ uid }) => uid).sort(), gone: gone.sort() };
};

/** Notes these as indexed, as a worker does that has just embedded them. */
const markIndexed = async (
  uids: readonly string[],
  whileEmbedding?: () => Promise<unknown>,
): Promise<string[]> => {
  const { wanted } = await one.index.sort(indexVersion, uids);
  await whileEmbedding?.();
  return one.index.markIndexed(
    indexVersion,
    wanted.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid })),
  );
};

describe('what the index owes', () => {
  test('an episode waits until it is noted as indexed; the last added comes first', async () => {
    const [a = '', b = '', c = ''] = await one.addEach(project.tenant, ['a', 'b', 'c']);
    expect(await waiting()).toEqual([c, b, a]);
    expect(await markIndexed([b])).toEqual([]);
    expect(await waiting()).toEqual([c, a]);
    expect(await one.indexVersions.of(project.projectUid)).toMatchObject({ hasWaiting: true });
    await markIndexed([a, c]);
    expect(await one.indexVersions.of(project.projectUid)).toMatchObject({ hasWaiting: false });
    await one.marks.markLost(FINGERPRINT, [c]);
    expect(await waiting()).toEqual([c]);
  });

  test('what was said long ago but added last still comes first', async () => {
    const [first = ''] = await one.addEach(project.tenant, ['first']);
    const old = batchOf({ createdAt: instant('1990-01-01T00:00:00Z') });
    await one.episodes.add(project.tenant, old);
    expect(await waiting()).toEqual([old.episodes[0]?.uid, first]);
  });

  test('a deleted episode waits for nothing, and its vector is unwanted', async () => {
    const [deleted = '', stays = '', indexed = ''] = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await markIndexed([indexed]);
    const unknown = uuidv7();
    await remove([deleted]);
    expect(await waiting()).toEqual([stays]);
    expect(await sorted([deleted, stays, indexed, unknown])).toEqual({
      wanted: [stays],
      gone: [deleted, unknown].sort(),
    });
    expect(
      [...(await one.marks.mayHaveVectors(FINGERPRINT, [deleted, stays, indexed, unknown]))].sort(),
    ).toEqual([stays, indexed].sort());
  });

  test('an episode deleted while it was being indexed is named, so that its vector goes again', async () => {
    const [deleted = '', stays = ''] = await one.addEach(project.tenant, ['a', 'b']);
    expect(await markIndexed([deleted, stays], () => remove([deleted]))).toEqual([deleted]);
    // its vector tells of the deleted one: it is embedded again
    expect(await waiting()).toEqual([stays]);
    await markIndexed([stays]);
    const items = await one.marks.itemsFrom(FINGERPRINT, deleted, 10);
    expect(items).toEqual([
      {
        uid: deleted,
        owner: project.projectUid,
        version: pointVersionOf({ content: 'a' }),
        isIndexed: false,
      },
      { uid: stays, owner: project.projectUid, version: pointVersionOf({ content: 'b' }), isIndexed: true },
    ]);
  });

  test('a long text is to have a newer point, where the embedder reads it in windows', async () => {
    const contents = [
      'x'.repeat(900),
      'x'.repeat(901),
      'é'.repeat(450),
      'é'.repeat(451),
      '😀'.repeat(30_000),
    ];
    const uids = await one.addEach(project.tenant, contents);
    const versionsIn = async (fingerprint: string): Promise<number[]> => {
      const items = await one.marks.itemsFrom(fingerprint, uids[0] ?? '', 10);
      return items.map(({ version }) => version);
    };
    const [windowed = ''] = READ_IN_WINDOWS;
    expect(await versionsIn(windowed)).toEqual(contents.map((content) => pointVersionOf({ content })));
    expect(new Set(await versionsIn(windowed)).size).toBe(2);
    expect(new Set(await versionsIn(FINGERPRINT)).size).toBe(1);

    // points of bound messages were made before these carried their producer
    const unbound = await versionsIn(windowed);
    await database.query('UPDATE episodic.episodes SET is_bound = true');
    const bound = await versionsIn(windowed);
    expect(bound).toEqual(contents.map((content) => pointVersionOf({ content, isBound: true })));
    expect(Math.min(...bound)).toBeGreaterThan(Math.max(...unbound));
  });

  test('what has its vector already is read for a new one', async () => {
    const [first = '', second = '', gone = ''] = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await markIndexed([first, second, gone]);
    await remove([gone]);
    const present = await one.index.present(indexVersion, [first, second, gone]);
    expect(present.map(({ uid, previous }) => [uid, previous?.uid])).toEqual([
      [first, undefined],
      [second, first],
    ]);
  });

  test('what is for semantic memory alone, or of another project, has no position in it', async () => {
    const semantic = { ...batchOf({}), types: ['semantic' as const] };
    await one.episodes.add(project.tenant, semantic);
    const uids = semantic.episodes.map(({ uid }) => uid);
    expect(await waiting()).toEqual([]);
    expect(await sorted(uids)).toEqual({ wanted: [], gone: uids });
    const [mine = ''] = await one.addEach(project.tenant, ['mine']);
    const other = await one.openProject();
    const otherIndexVersion = await one.activate(other, FINGERPRINT);
    expect((await one.index.sort(otherIndexVersion, [mine])).gone).toEqual([mine]);
    const marked = one.index.markIndexed(otherIndexVersion, [{ uid: mine, previousUid: undefined }]);
    expect(await marked).toEqual([mine]);
    expect(await waiting()).toEqual([mine]);
  });

  test('only tombstones are dropped', async () => {
    const [deleted = '', stays = ''] = await one.addEach(project.tenant, ['a', 'b']);
    await remove([deleted]);
    await one.index.dropTombstones(project.projectUid, [deleted, stays]);
    const rows = await database.query<{ uid: string }>('SELECT uid FROM episodic.episodes');
    expect(rows.map(({ uid }) => uid)).toEqual([stays]);
  });

  test('how much a collection holds is counted up to a limit, of what is in it', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await markIndexed(uids.slice(0, 2));
    const holdsMoreThan = (count: number): Promise<boolean> => one.marks.holdsMoreThan(FINGERPRINT, count);
    expect([await holdsMoreThan(0), await holdsMoreThan(1), await holdsMoreThan(2)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await one.marks.holdsMoreThan('another', 0)).toBe(false);
  });

  test('all are noted as lost in bounded steps', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await markIndexed(uids);
    const [, second, third] = [...uids].sort();
    expect(await one.marks.markAllLost(FINGERPRINT, 2)).toEqual({ marked: 2, last: second });
    expect(await one.marks.markAllLost(FINGERPRINT, 2, second)).toEqual({ marked: 1, last: third });
    expect(await one.marks.markAllLost(FINGERPRINT, 2, third)).toEqual({ marked: 0, last: undefined });
    expect(await waiting()).toHaveLength(3);
  });
});

describe('a vector tells of the previous turn', () => {
  const at = (minute: number): { createdAt: Instant } => ({
    createdAt: instant(`2024-05-01T10:${String(minute).padStart(2, '0')}:00Z`),
  });

  const say = async (minute: number, content = 'x'): Promise<string> => {
    const batch = batchOf({ content, ...at(minute) });
    await one.episodes.add(project.tenant, batch);
    return batch.episodes[0]?.uid ?? '';
  };

  const previousOf = async (uid: string): Promise<PreviousTurn | undefined> =>
    (await one.index.sort(indexVersion, [uid])).wanted[0]?.previous;

  test('which is the one before in time, by the end of its text', async () => {
    const first = await say(1, `${'long '.repeat(100)}end`);
    const second = await say(2);
    expect(await previousOf(first)).toBeUndefined();
    const previous = await previousOf(second);
    expect(previous?.uid).toBe(first);
    expect(previous?.ending).toHaveLength(200);
    expect(previous?.ending.endsWith('end')).toBe(true);
  });

  test('but not of one that was said hours before, nor in another project', async () => {
    const early = batchOf({ createdAt: instant('2024-05-01T07:00:00Z') });
    await one.episodes.add(project.tenant, early);
    const other = await one.openProject();
    await one.episodes.add(other.tenant, batchOf(at(1)));
    expect(await previousOf(await say(2))).toBeUndefined();
  });

  test('and what gets its vector again makes none behind it wait that tells of it', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c', 'd']);
    await markIndexed(uids);
    await one.marks.markLost(FINGERPRINT, uids.slice(0, 2));
    expect((await waiting()).sort()).toEqual(uids.slice(0, 2).sort());
    await markIndexed(uids.slice(0, 2));
    expect(await waiting()).toEqual([]);
  });

  test('so that one who comes late makes the one behind it wait again', async () => {
    const [first, third] = [await say(1), await say(3)];
    await markIndexed([first, third]);
    expect(await waiting()).toEqual([]);
    const second = await say(2);
    await markIndexed([second]);
    expect(await waiting()).toEqual([third]);
    expect((await previousOf(third))?.uid).toBe(second);
    await markIndexed([third]);
    expect(await waiting()).toEqual([]);
  });

  test('and one that got another previous turn while it was embedded goes on waiting', async () => {
    const [first, third] = [await say(1), await say(3)];
    await markIndexed([first]);
    await say(2);
    expect(await one.index.markIndexed(indexVersion, [{ uid: third, previousUid: first }])).toEqual([]);
    expect(await waiting()).toContain(third);
  });

  test('a deleted turn leaves the vector behind it before its tombstone goes', async () => {
    const [first, second, third] = [await say(1), await say(2), await say(3)];
    await markIndexed([first, second, third]);
    await remove([second]);
    expect(await waiting()).toEqual([]);
    await one.index.dropTombstones(project.projectUid, [second]);
    expect(await waiting()).toEqual([third]);
    expect((await previousOf(third))?.uid).toBe(first);
  });

  test('and so do several, each of which leaves the vector behind it', async () => {
    const [first, second, third] = [await say(1), await say(2), await say(3)];
    const [fourth, fifth, sixth] = [await say(4), await say(5), await say(6)];
    await markIndexed([first, second, third, fourth, fifth, sixth]);
    await remove([second, third, fifth]);
    await one.index.dropTombstones(project.projectUid, [fifth, second, third]);
    expect((await waiting()).sort()).toEqual([fourth, sixth].sort());
  });
});

describe('what is overdue', () => {
  const takeOverdue = (replica: Replica, limit: number, tx: Transaction): Promise<EpisodesReference[]> => {
    const sweep = replica.sweeps.all.find(({ type }) => type === indexEpisodes);
    if (!sweep) throw new Error('Episodes without vectors are not swept.');
    return sweep.take(MINUTE_MS, limit, tx);
  };

  const take = (replica: Replica, limit = 100): Promise<string[]> =>
    replica.unitOfWork.run((tx) => takeOverdue(replica, limit, tx).then(uidsOf));

  const takeTombstones = (replica: Replica): Promise<string[]> =>
    replica.unitOfWork.run((tx) => replica.index.takeOverdueTombstones(MINUTE_MS, 100, tx).then(uidsOf));

  const uidsOf = (taken: readonly Pick<EpisodesReference, 'uids'>[]): string[] =>
    taken.flatMap(({ uids }) => uids).sort();

  const age = (column: 'added_at' | 'ordered_at' | 'deleted_at', ms: number): Promise<unknown> =>
    database.query(`UPDATE episodic.episodes SET ${column} = now() - make_interval(secs => $1)`, [ms / 1000]);

  test('is taken once, and again only after it has waited as long again', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b']);
    expect(await take(one)).toEqual([]);
    await age('added_at', HOUR_MS);
    expect(await take(one)).toEqual([...uids].sort());
    expect(await take(two)).toEqual([]);
    await age('ordered_at', HOUR_MS);
    expect(await take(two)).toEqual([...uids].sort());
  });

  test('is never taken by two at once, even while neither has committed', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c', 'd', 'e']);
    await age('added_at', HOUR_MS);
    const taken = await one.unitOfWork.run(async (tx) => {
      const mine = uidsOf(await takeOverdue(one, 3, tx));
      return [mine, await take(two)];
    });
    expect(taken.map((uidsTaken) => uidsTaken.length)).toEqual([3, 2]);
    expect(taken.flat().sort()).toEqual([...uids].sort());
  });

  test('is taken from every project, however much one has that waited for longer', async () => {
    await one.addEach(
      project.tenant,
      Array.from({ length: 20 }, (_, index) => `of a flood ${index}`),
    );
    await age('added_at', 2 * HOUR_MS);
    const [second, third] = [await one.openProject(), await one.openProject()];
    const added = [...(await one.addEach(second.tenant, ['a'])), ...(await one.addEach(third.tenant, ['b']))];
    await database.query(
      `UPDATE episodic.episodes SET added_at = now() - interval '1 hour' WHERE uid = ANY ($1)`,
      [added],
    );
    const taken = await take(one, 8);
    expect(taken).toHaveLength(8);
    expect(taken).toEqual(expect.arrayContaining(added));
    expect(await take(two, 100)).toHaveLength(14);
  });

  test('of very many projects, some each time; what one of them added last does not wait for all that is older', async () => {
    const older = await Promise.all(Array.from({ length: 12 }, () => one.openProject()));
    for (const { tenant } of older)
      await one.addEach(
        tenant,
        Array.from({ length: 5 }, (_, index) => `${index}`),
      );
    await age('added_at', 2 * HOUR_MS);
    const [last = ''] = await one.addEach(project.tenant, ['last']);
    await database.query(`UPDATE episodic.episodes SET added_at = now() - interval '1 hour' WHERE uid = $1`, [
      last,
    ]);
    const taken: string[] = [];
    for (let sweep = 0; sweep < 7; sweep += 1) taken.push(...(await take(one, 4)));
    expect(taken).toHaveLength(28);
    expect(taken).toContain(last);
  });

  test('also what was ordered before, beside much that never was', async () => {
    const [failed = ''] = await one.addEach(project.tenant, ['its embedder was down']);
    await age('added_at', HOUR_MS);
    expect(await take(one)).toEqual([failed]);
    await age('ordered_at', HOUR_MS);
    const flood = await one.openProject();
    await one.addEach(
      flood.tenant,
      Array.from({ length: 20 }, (_, index) => `of a flood ${index}`),
    );
    await age('added_at', HOUR_MS);
    expect(await take(one, 4)).toContain(failed);
  });

  test('is given back when the worker that took it fails', async () => {
    const uids = await one.addEach(project.tenant, ['a']);
    await age('added_at', HOUR_MS);
    const failing = one.unitOfWork.run(async (tx) => {
      await takeOverdue(one, 9, tx);
      throw new Error('gone');
    });
    await expect(failing).rejects.toThrow('gone');
    expect(await take(two)).toEqual(uids);
  });

  test('says of which project; neither a closed project nor what is indexed or deleted is due', async () => {
    const [waits = '', indexed = '', deleted = ''] = await one.addEach(project.tenant, ['a', 'b', 'c']);
    await markIndexed([indexed]);
    await remove([deleted]);
    const closed = await one.openProject();
    await one.addEach(closed.tenant, ['d']);
    await one.projects.close(closed);
    await age('added_at', HOUR_MS);
    expect(await one.unitOfWork.run((tx) => takeOverdue(one, 9, tx))).toEqual([
      { tenant: project.tenant, projectUid: project.projectUid, uids: [waits] },
    ]);
  });

  test('tombstones are due on their own', async () => {
    const [deleted = ''] = await one.addEach(project.tenant, ['a', 'b']);
    await remove([deleted]);
    expect(await takeTombstones(one)).toEqual([]);
    await database.query(
      `UPDATE episodic.episodes SET deleted_at = now() - interval '1 hour' WHERE deleted_at IS NOT NULL`,
    );
    expect(await takeTombstones(one)).toEqual([deleted]);
    expect(await takeTombstones(two)).toEqual([]);
  });

  test('the backlog counts what waits, and the age of the oldest', async () => {
    expect(await one.marks.backlog()).toEqual({ items: 0, oldestSeconds: 0 });
    await one.addEach(project.tenant, ['a', 'b']);
    await age('added_at', HOUR_MS);
    const { items, oldestSeconds } = await one.marks.backlog();
    expect(items).toBe(2);
    expect(oldestSeconds).toBeGreaterThanOrEqual(3_600);
    expect(oldestSeconds).toBeLessThan(3_700);
  });

  const counted = async (): Promise<{ items: number; waiting: number }> => {
    const [row] = await database.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM episodic.episodes
       WHERE indexed_at IS NULL AND in_long_term AND deleted_at IS NULL`,
    );
    return { items: (await one.marks.backlog()).items, waiting: row?.waiting ?? Number.NaN };
  };

  test('the age of the oldest is known, too, once it was asked for again', async () => {
    const [first = ''] = await one.addEach(project.tenant, ['a', 'b']);
    await age('added_at', HOUR_MS);
    await take(one);
    await one.addEach(project.tenant, ['new']);
    expect((await one.marks.backlog()).oldestSeconds).toBeGreaterThanOrEqual(3_600);
    await markIndexed([first]);
    expect((await one.marks.backlog()).items).toBe(2);
  });

  test('the backlog is right after whatever changes it, by any statement and any number of connections', async () => {
    const uids = await one.addEach(project.tenant, ['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await counted()).toEqual({ items: 6, waiting: 6 });
    await markIndexed(uids.slice(0, 4));
    expect(await counted()).toEqual({ items: 2, waiting: 2 });
    await one.marks.markLost(FINGERPRINT, uids.slice(0, 1));
    await remove(uids.slice(3, 5));
    const afterwards = await counted();
    expect(afterwards.items).toBe(afterwards.waiting);
    // a transaction that goes on holds back neither another one nor what that counts
    await one.unitOfWork.run(async (tx) => {
      await one.episodes.remove(project.projectUid, uids.slice(5), tx);
      await two.addEach(project.tenant, ['g', 'h']);
      await expect(counted()).resolves.toMatchObject({ items: afterwards.items + 2 });
    });
    await Promise.all(
      [one, two].flatMap((replica) =>
        Array.from({ length: 20 }, (_, n) => replica.addEach(project.tenant, [`at once ${n}`])),
      ),
    );
    const most = await counted();
    expect(most).toEqual({ items: most.waiting, waiting: afterwards.items + 2 + 40 - 1 });
    await database.query('DELETE FROM episodic.episodes');
    expect(await counted()).toEqual({ items: 0, waiting: 0 });
  });
});

describe('comparisons with the index', () => {
  beforeEach(async () => {
    await database.query(
      'UPDATE episodic.index_collections SET compare_at = now(), comparing_from = NULL, compared_at = NULL',
    );
  });

  const claim = (replica: Replica) => replica.comparisons.claim(FINGERPRINT, MINUTE_MS, HOUR_MS);

  const progress = { from: undefined, differs: false, isComplete: true, pauseMs: 0 };

  test('are one worker at a time, and everything is due again only after its interval', async () => {
    const claims = await Promise.all([claim(one), claim(two)]);
    const [turn, ...others] = claims.filter((claimed) => claimed !== undefined);
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ from: undefined, isDue: true });
    if (turn) await one.comparisons.note(turn, progress);
    expect(await claim(two)).toMatchObject({ isDue: false });
  });

  test('go on in another worker where the last turn ended', async () => {
    const [turn, from] = [await claim(one), uuidv7()];
    if (turn) await one.comparisons.note(turn, { ...progress, from, isComplete: false });
    expect(await claim(two)).toMatchObject({ from, isDue: true });
  });

  test('begin anew when the index was lost, whatever a turn says that began before', async () => {
    const turn = await claim(one);
    await two.comparisons.begin(FINGERPRINT, 0);
    if (turn) await one.comparisons.note(turn, progress);
    expect(await claim(one)).toMatchObject({ from: '00000000-0000-0000-0000-000000000000', differs: true });
  });
});
