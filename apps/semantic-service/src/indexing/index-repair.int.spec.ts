import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { FIRST_UID, IndexComparison } from '@loci/indexing';
import { TestDatabase, testQdrant } from '@loci/testing';
import { type VectorIndex } from '@loci/vectors';
import { randomUUID } from 'node:crypto';
import { FeatureReplica, migrate, SpecEmbedder } from '../../test/feature-replica.js';
import { type MemorySet } from '../sets/set.js';
import { REVISIONS } from './feature-points.js';
import { FeatureTable } from './feature-table.js';

const embedder = new SpecEmbedder('spec-4-00000000', 4);
const COLLECTION = { ...embedder, isInUse: true, isToCompare: true };

let database: TestDatabase;
let replica: FeatureReplica;
let comparison: IndexComparison;
let vectors: VectorIndex;
let set: MemorySet;

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
  replica = await FeatureReplica.open({
    databaseUrl: database.url,
    qdrant: testQdrant(),
    prefix: `spec_${randomUUID()}`,
    embedders: new Map([['spec', embedder]]),
    defaultName: () => 'spec',
    leaseMs: 500,
  });
  vectors = replica.collections.get(COLLECTION);
  const { marks, collections, indexer } = replica;
  comparison = new IndexComparison(marks, collections, indexer, new FeatureTable());
});

afterAll(async () => {
  await replica.close();
  await database.drop();
});

beforeEach(async () => {
  set = await replica.openSet();
});

const waiting = async (): Promise<string[]> =>
  (await replica.index.waiting(set.uid, { rows: 10, bytes: 1_000_000 })).items.map(({ uid }) => uid);

/** Puts the point of the only feature of the set into the index, as a worker does that ends before it has noted it. */
async function putPoint(added: { readonly changes?: number; readonly recipes?: number }): Promise<number> {
  const [feature] = (await replica.index.waiting(set.uid, { rows: 1, bytes: 1_000_000 })).items;
  if (!feature) throw new Error('Nothing waits.');
  const point = replica.content.toPoint(feature, Float32Array.of(0, 1, 0, 0));
  const version = point.version + (added.changes ?? 0) + (added.recipes ?? 0) * REVISIONS;
  await vectors.upsert(set.uid, [{ ...point, version }]);
  return point.version;
}

test('a worker may end between writing a point and noting it', async () => {
  const [uid = ''] = await replica.write(set, { drink: 'tea' });
  await replica.indexer.bringInLine(set.uid, []);
  const version = await putPoint({});
  expect(await waiting()).toEqual([uid]);
  await replica.indexWaiting(set);
  expect(await waiting()).toEqual([]);
  expect(await vectors.versions([uid])).toEqual(new Map([[uid, version]]));
});

test('what a restored database does not know of goes from the index, and the row gets the vector of its text', async () => {
  const [uid = ''] = await replica.write(set, { drink: 'tea' });
  await replica.indexer.bringInLine(set.uid, []);
  const version = await putPoint({ changes: 3 });
  await replica.indexWaiting(set);
  expect(await waiting()).toEqual([]);
  expect(await vectors.versions([uid])).toEqual(new Map([[uid, version + 3]]));
  expect(await comparison.compare(COLLECTION, FIRST_UID)).toMatchObject({ lost: 1, removed: 0 });
  expect(await waiting()).toEqual([uid]);
  await replica.indexWaiting(set);
  expect(await waiting()).toEqual([]);
  expect(await vectors.versions([uid])).toEqual(new Map([[uid, version]]));
  expect(await comparison.compare(COLLECTION, FIRST_UID)).toMatchObject({ lost: 0, removed: 0 });
});

test('a point of a newer version of Loci keeps no row waiting, and stays', async () => {
  const [uid = ''] = await replica.write(set, { drink: 'tea' });
  await replica.indexer.bringInLine(set.uid, []);
  const version = await putPoint({ recipes: 1 });
  await replica.indexWaiting(set);
  expect(await waiting()).toEqual([]);
  expect(await comparison.compare(COLLECTION, FIRST_UID)).toMatchObject({ lost: 0, removed: 0 });
  expect(await vectors.versions([uid])).toEqual(new Map([[uid, version + REVISIONS]]));
});
