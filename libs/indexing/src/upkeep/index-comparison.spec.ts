import { beforeEach, describe, expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { type StoredPoint } from '@loci/vectors';
import { type VectorCollections } from '../collections/vector-collections.js';
import { type ContentIndexer } from '../content/content-indexer.js';
import { type IndexMarksRepository } from '../content/index-marks.repository.js';
import { FIRST_UID, type IndexedTable } from '../index-versions/indexed-table.js';
import { IndexComparison, uidBetween } from './index-comparison.js';

const COLLECTION = { fingerprint: 'f', dimensions: 4, isInUse: true, isToCompare: true };
const VERSION = 1_002;
const VERSIONS_PER_RECIPE = 1_000;

/** The n-th uid of all. */
const uidOf = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;

interface Row {
  readonly uid: string;
  readonly owner: string;
  readonly version: number;
  isIndexed: boolean;
}

let rows: Map<string, Row>;
let points: Map<string, StoredPoint>;
/** How many rows and points were read. */
let read: number;
/** How many points were renewed at once. */
let renewals: number[];
let beforeRenewing: () => Promise<void>;
/** What happens between the reading of rows and that of points. */
let meanwhile: () => void;

const inOrder = <Value>(values: ReadonlyMap<string, Value>, from: string): Value[] =>
  [...values]
    .filter(([uid]) => uid >= from)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

const taken = <Value>(values: readonly Value[]): readonly Value[] => {
  read += values.length;
  return values;
};

const marks = {
  itemsFrom: (_: string, from: string, limit: number) => {
    const page = taken(inOrder(rows, from).slice(0, limit)).map((row) => ({ ...row }));
    meanwhile();
    return Promise.resolve(page);
  },
  uidRange: (count: number) => {
    const all = inOrder(rows, FIRST_UID).map(({ uid }) => uid);
    const [first, newest] = [all[0], all.slice(-count)[0]];
    return Promise.resolve(first && newest ? { first, newest } : undefined);
  },
  rowVersions: (_: string, uids: readonly string[]) =>
    Promise.resolve(new Map(uids.flatMap((uid) => (rows.has(uid) ? [[uid, rows.get(uid)?.version]] : [])))),
  mayHaveVectors: (_: string, uids: readonly string[]) =>
    Promise.resolve(new Set(uids.filter((uid) => rows.has(uid)))),
  markLost: (_: string, uids: readonly string[]) => {
    for (const uid of uids) rows.set(uid, { uid, owner: '', version: VERSION, isIndexed: false });
    return Promise.resolve();
  },
} as unknown as IndexMarksRepository;

const vectors = {
  scroll: ({ after, limit }: { after: string; limit: number }) => {
    const all = inOrder(points, after);
    const next = all[limit]?.id;
    return Promise.resolve({ points: taken(all.slice(0, limit)), ...(next !== undefined && { next }) });
  },
  versions: (ids: readonly string[]) =>
    Promise.resolve(
      new Map(ids.flatMap((id) => (points.has(id) ? [[id, points.get(id)?.version] as const] : []))),
    ),
  remove: (tenant: string, ids: readonly string[]) => {
    for (const id of ids) if (points.get(id)?.tenant === tenant) points.delete(id);
    return Promise.resolve();
  },
};

const indexer = {
  renew: async (owner: string, uids: readonly string[]) => {
    await beforeRenewing();
    for (const uid of uids) points.set(uid, { id: uid, tenant: owner, version: VERSION });
    renewals.push(uids.length);
  },
} as unknown as ContentIndexer<unknown>;

const comparison = new IndexComparison(
  marks,
  { get: () => vectors } as unknown as VectorCollections,
  indexer,
  { versionsPerRecipe: VERSIONS_PER_RECIPE } as IndexedTable,
);

const ownerOf = (n: number): string => `tenant ${n % 3}`;

const addRow = (n: number, isIndexed = true): void =>
  void rows.set(uidOf(n), { uid: uidOf(n), owner: ownerOf(n), version: VERSION, isIndexed });

const addPoint = (n: number, version = VERSION): void =>
  void points.set(uidOf(n), { id: uidOf(n), tenant: ownerOf(n), version });

async function compareAll(): Promise<{ removed: number; lost: number; renewed: number; slices: number }> {
  const sum = { removed: 0, lost: 0, renewed: 0, slices: 0 };
  let next: string | undefined = FIRST_UID;
  while (next !== undefined) {
    const compared = await comparison.compare(COLLECTION, next);
    sum.removed += compared.removed;
    sum.lost += compared.lost;
    sum.renewed += compared.renewed;
    sum.slices += 1;
    next = compared.next;
  }
  return sum;
}

beforeEach(() => {
  rows = new Map();
  points = new Map();
  read = 0;
  renewals = [];
  beforeRenewing = () => Promise.resolve();
  meanwhile = () => undefined;
  for (let n = 1; n <= 2_600; n += 1) {
    addRow(n);
    addPoint(n);
  }
});

describe('a comparison of everything', () => {
  test('changes nothing where rows and points agree', async () => {
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 0 });
  });

  test('finds each lost point and each that no row has, wherever they are', async () => {
    const [lost, stray] = [
      [1, 2, 500, 501, 999, 1_000, 1_234, 2_600],
      [2_601, 2_700, 5_000],
    ];
    for (const n of lost) points.delete(uidOf(n));
    for (const n of stray) addPoint(n);
    for (let n = 100; n < 400; n += 1) rows.delete(uidOf(n));
    expect(await compareAll()).toMatchObject({ removed: 303, lost: 8 });
    const waiting = [...rows.values()].filter(({ isIndexed }) => !isIndexed).map(({ uid }) => uid);
    expect(waiting.sort()).toEqual(lost.map(uidOf).sort());
    expect([...points.keys()].every((uid) => rows.has(uid))).toBe(true);
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 0 });
  });

  test('renews each point of an older recipe once, a few at a time, and none of its rows waits', async () => {
    for (let n = 100; n < 1_000; n += 1) addPoint(n, VERSION - 1);
    points.delete(uidOf(1_500));
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 1, renewed: 900 });
    expect(renewals.reduce((sum, count) => sum + count, 0)).toBe(900);
    expect(Math.max(...renewals)).toBeLessThanOrEqual(11);
    expect([...rows.values()].filter(({ isIndexed }) => !isIndexed).map(({ uid }) => uid)).toEqual([
      uidOf(1_500),
    ]);
    expect([...points.values()].every(({ version }) => version === VERSION)).toBe(true);
    expect(await compareAll()).toMatchObject({ renewed: 0 });
  });

  test('leaves points of an older recipe as they are while their embedder is down', async () => {
    addPoint(2_600, VERSION - 1);
    beforeRenewing = () => Promise.reject(unavailable('embedder_unavailable', 'down'));
    await expect(compareAll()).rejects.toMatchObject({ code: 'embedder_unavailable' });
    expect([...rows.values()].every(({ isIndexed }) => isIndexed)).toBe(true);
    expect(points.get(uidOf(2_600))?.version).toBe(VERSION - 1);
  });

  test('takes back points of changes that their rows never had', async () => {
    const ahead = [7, 8, 1_700];
    for (const n of ahead) addPoint(n, VERSION + 1);
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 3, renewed: 0 });
    const waiting = [...rows.values()].filter(({ isIndexed }) => !isIndexed).map(({ uid }) => uid);
    expect(waiting.sort()).toEqual(ahead.map(uidOf));
    expect(ahead.some((n) => points.has(uidOf(n)))).toBe(false);
  });

  test('leaves points of a newer recipe to the version of Loci that made them', async () => {
    addPoint(7, VERSION + VERSIONS_PER_RECIPE);
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 0, renewed: 0 });
    expect(points.has(uidOf(7))).toBe(true);
  });

  test('leaves the point of a row that was changed while it was compared', async () => {
    meanwhile = () => {
      rows.set(uidOf(7), { uid: uidOf(7), owner: ownerOf(7), version: VERSION + 1, isIndexed: true });
      addPoint(7, VERSION + 1);
    };
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 0, renewed: 0 });
    expect(points.has(uidOf(7))).toBe(true);
  });

  test('is as good when far more is on one side than on the other', async () => {
    points.clear();
    expect(await compareAll()).toMatchObject({ lost: 2_600, removed: 0 });
    for (let n = 1; n <= 2_600; n += 1) addPoint(n);
    rows.clear();
    expect(await compareAll()).toMatchObject({ lost: 0, removed: 2_600 });
  });

  test('takes a row that waits, and a point that came meanwhile, for no difference', async () => {
    addRow(3_000, false);
    let n = 3_000;
    meanwhile = () => {
      n += 1;
      addPoint(n);
      addRow(n);
    };
    expect(await compareAll()).toMatchObject({ removed: 0, lost: 0 });
  });
});

describe('a sample', () => {
  test('reads the same at any size', async () => {
    await comparison.sample(COLLECTION);
    const atFirst = read;
    for (let n = 2_601; n <= 9_000; n += 1) {
      addRow(n);
      addPoint(n);
    }
    read = 0;
    await comparison.sample(COLLECTION);
    expect(read).toBe(atFirst);
  });

  test('finds that the newest points are lost', async () => {
    for (let n = 2_590; n <= 2_600; n += 1) points.delete(uidOf(n));
    expect(await comparison.sample(COLLECTION)).toEqual({ differences: 11, renewed: 0 });
  });

  test('finds points behind the newest row that no row has', async () => {
    addPoint(9_999);
    expect(await comparison.sample(COLLECTION)).toEqual({ differences: 1, renewed: 0 });
    expect(points.has(uidOf(9_999))).toBe(false);
  });

  test('of an empty table finds points that no row has', async () => {
    rows.clear();
    expect((await comparison.sample(COLLECTION)).differences).toBeGreaterThanOrEqual(128);
  });
});

test('a uid between two others is between them', () => {
  const [first, last] = ['019a0000-0000-7000-8000-000000000000', '019affff-ffff-7000-8000-000000000000'];
  expect(uidBetween(first, last, 0) <= first).toBe(true);
  expect(uidBetween(first, last, 0.5)).toBe('019a7fff-ffff-0000-0000-000000000000');
  expect(uidBetween(first, last, 0.999) < last).toBe(true);
  expect(uidBetween(first, first, 0.7)).toBe('019a0000-0000-0000-0000-000000000000');
});
