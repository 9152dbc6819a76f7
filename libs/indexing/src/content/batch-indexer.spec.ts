import { afterEach, expect, jest, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { type TenantPoints, type VectorIndex, type VectorPoint } from '@loci/vectors';
import { type IndexVersion } from '../index-versions/index-version.js';
import { type IndexVersions } from '../index-versions/index-versions.js';
import { type Embedders } from '../index-versions/embedders.js';
import { OpenIndexVersion } from '../index-versions/open-index-version.js';
import { ContentIndexer } from './content-indexer.js';
import { type IndexedContent } from './indexed-content.js';
import { WordChanges } from './word-changes.js';

type Row = string;
type Fault = (owners: readonly string[], model?: string) => Promise<void>;

const nothing: Fault = () => Promise.resolve();
const never = (): Promise<never> => new Promise(() => undefined);
const refuse = (): Promise<never> => Promise.reject(new Error('This was not expected.'));

/** What was called, and what is done before it is. A row is called `<owner>/<n>`. */
let embedded: string[][] = [];
let upserted: (readonly TenantPoints[])[] = [];
let marked: string[] = [];
let beforeEmbedding: Fault = nothing;
let beforeUpsert: Fault = nothing;
let beforeReading: Fault = nothing;

afterEach(() => {
  [embedded, upserted, marked] = [[], [], []];
  [beforeEmbedding, beforeUpsert, beforeReading] = [nothing, nothing, nothing];
});

const ownerOf = (row: Row): string => row.split('/')[0] ?? '';

const vectors = {
  upsertAll: async (points: readonly TenantPoints[]) => {
    upserted.push(points);
    await beforeUpsert(points.map(({ tenant }) => tenant));
  },
} as Partial<VectorIndex> as VectorIndex;

const content = {
  sort: async ({ ownerUid }: IndexVersion, uids: readonly string[]) => {
    await beforeReading([ownerUid]);
    return { wanted: [...uids], gone: [] };
  },
  textToEmbed: (row: Row) => row,
  toPoint: (row: Row) => ({ id: row }) as Partial<VectorPoint> as VectorPoint,
  markIndexed: (_: IndexVersion, rows: readonly Row[]) => {
    marked.push(...rows);
    return Promise.resolve([]);
  },
} as Partial<IndexedContent<Row>> as IndexedContent<Row>;

const embedder = (fingerprint: string) => ({
  fingerprint,
  embed: async (texts: readonly string[]) => {
    embedded.push([...texts]);
    await beforeEmbedding(texts.map(ownerOf), fingerprint);
    return texts.map(() => new Float32Array(3));
  },
});

/** Owners that begin with `other` have another embedder; what is being built is for a third. */
function open(ownerUid: string, state: IndexVersion['state'] = 'active'): OpenIndexVersion {
  const usual = ownerUid.startsWith('local') ? 'local' : 'usual';
  const name = state === 'building' ? 'next' : ownerUid.startsWith('other') ? 'other' : usual;
  const version = { uid: `${ownerUid} ${state}`, ownerUid, state, dimensions: 3 };
  const named = (asked: string) => Promise.resolve(embedder(asked));
  const waitForRows: Embedders['waitForRows'] = (_, work) => work();
  return new OpenIndexVersion(
    { ...version, embedder: name, fingerprint: name },
    vectors,
    { named, waitForRows } as unknown as ConstructorParameters<typeof OpenIndexVersion>[2],
    { find: refuse },
  );
}

const find = (ownerUid: string) => {
  if (ownerUid.startsWith('new')) return Promise.reject(unavailable('embedder_unavailable', 'It is made.'));
  const active = open(ownerUid);
  const building = ownerUid.startsWith('moving') ? open(ownerUid, 'building') : undefined;
  return Promise.resolve({ active, building, all: [active], hasWaiting: true, wordsRevision: 0 });
};
const indexVersions = { ensure: find, ensureSoon: find } as Partial<IndexVersions> as IndexVersions;

const indexer = new ContentIndexer(indexVersions, content, new WordChanges());

const OTHERS_WAIT_MS = 500;

const rowsOf = (owner: string, count = 1): [string, string[]] => [
  owner,
  Array.from({ length: count }, (_, n) => `${owner}/${n}`),
];
const owners = (count: number): string[] => Array.from({ length: count }, (_, n) => `project ${n}`);
const bring = async (...work: [string, string[]][]) => (await indexer.bringAllInLine(new Map(work))).failures;

const failsFor =
  (spoiling: string, error: Error): Fault =>
  (asked) =>
    asked.includes(spoiling) ? Promise.reject(error) : Promise.resolve();

test('one message in each of 64 projects takes one call of the embedder and one write of the index', async () => {
  const work = owners(64).map((owner) => rowsOf(owner));
  expect(await bring(...work)).toEqual(new Map());
  expect([embedded.length, upserted.length]).toEqual([1, 1]);
  expect(upserted.flat().map(({ tenant, points }) => [tenant, points.map(({ id }) => id)])).toEqual(
    embedded.flat().map((row) => [ownerOf(row), [row]]),
  );
  expect(marked.toSorted()).toEqual(work.flatMap(([, uids]) => uids).toSorted());
});

test('others have their turn between the points of long messages', async () => {
  const long = Array.from({ length: 5 }, (_, n) => `a/${n}`.padEnd(6_000));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  beforeUpsert = () => {
    clearImmediate(next);
    return Promise.resolve();
  };
  expect(await bring(['a', long])).toEqual(new Map());
  expect(turns).toBeGreaterThanOrEqual(long.length);
});

test('projects with another embedder take another call, and do not wait for one that never answers', async () => {
  beforeEmbedding = (asked) => (asked.some((owner) => owner.startsWith('other')) ? never() : nothing(asked));
  void bring(rowsOf('other'), rowsOf('a'), rowsOf('b'));
  while (marked.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(embedded.toSorted()).toEqual([['a/0', 'b/0'], ['other/0']]);
  expect(marked.toSorted()).toEqual(['a/0', 'b/0']);
});

test('what names rows of an embedder that hangs is done in time, and tells whose rows wait', async () => {
  jest.useFakeTimers();
  beforeEmbedding = (asked) => (asked.some((owner) => owner.startsWith('other')) ? never() : nothing(asked));
  const waiting = bring(rowsOf('other'), rowsOf('a'));
  await jest.advanceTimersByTimeAsync(OTHERS_WAIT_MS);
  expect([...(await waiting)]).toMatchObject([['other', { code: 'embedder_unavailable' }]]);
  expect([...(await bring(rowsOf('other'), rowsOf('b')))]).toMatchObject([
    ['other', { code: 'embedder_unavailable' }],
  ]);
  expect(marked.toSorted()).toEqual(['a/0', 'b/0']);
  jest.useRealTimers();
});

test('the embedder that comes with Loci is waited for, however busy the machine is', async () => {
  jest.useFakeTimers();
  beforeEmbedding = () => new Promise((resolve) => setTimeout(resolve, 20_000));
  const waiting = bring(rowsOf('local'));
  await jest.advanceTimersByTimeAsync(20_000);
  expect(await waiting).toEqual(new Map());
  expect(marked).toEqual(['local/0']);
  jest.useRealTimers();
});

test.each([
  ['the text of one project that the model refuses', 'embed', unavailable('embedder_unavailable', 'refused')],
  ['a point of one project that the index refuses', 'upsert', new Error('refused')],
  ['one project whose rows cannot be read', 'read', new Error('refused')],
])('%s keeps no other out', async (_, where, error) => {
  const fault = failsFor('project 3', error);
  if (where === 'embed') beforeEmbedding = fault;
  if (where === 'upsert') beforeUpsert = fault;
  if (where === 'read') beforeReading = fault;
  expect(await bring(...owners(8).map((owner) => rowsOf(owner)))).toEqual(new Map([['project 3', error]]));
  expect(marked.toSorted()).toEqual([0, 1, 2, 4, 5, 6, 7].map((n) => `project ${n}/0`));
});

test('an index that is down is not asked for each project', async () => {
  const down = unavailable('vector_index_unavailable', 'down');
  beforeUpsert = () => Promise.reject(down);
  expect(await bring(...owners(8).map((owner) => rowsOf(owner)))).toEqual(
    new Map(owners(8).map((owner) => [owner, down])),
  );
  expect([upserted.length, marked]).toEqual([1, []]);
});

test('a project with one message does not wait for one with many, whichever came first', async () => {
  await bring(rowsOf('large', 1_000), rowsOf('small'));
  expect(embedded[0]).toHaveLength(128);
  expect(embedded[0]).toContain('small/0');
  expect(new Set(marked).size).toBe(1_001);
});

test('a project that failed is not gone on with', async () => {
  beforeEmbedding = failsFor('large', unavailable('embedder_unavailable', 'down'));
  expect([...(await bring(rowsOf('large', 1_000), rowsOf('small'))).keys()]).toEqual(['large']);
  expect(marked).toEqual(['small/0']);
  expect(embedded.flat().filter((row) => ownerOf(row) === 'large').length).toBeLessThan(300);
});

test('what is built for another embedder is filled as well', async () => {
  expect(await bring(rowsOf('moving'), rowsOf('a'))).toEqual(new Map());
  expect(marked.toSorted()).toEqual(['a/0', 'moving/0', 'moving/0']);
});

test('an outage of the embedder that an index version is built for is left to its builder', async () => {
  beforeEmbedding = (_, model) =>
    model === 'next' ? Promise.reject(unavailable('embedder_unavailable', 'down')) : Promise.resolve();
  expect(await bring(rowsOf('moving'), rowsOf('a'))).toEqual(new Map());
  expect(marked.toSorted()).toEqual(['a/0', 'moving/0']);
});

test('a request that indexes its own project is told of its failure', async () => {
  const error = unavailable('embedder_unavailable', 'down');
  beforeEmbedding = () => Promise.reject(error);
  await expect(indexer.bringInLine('a', ['a/0'], 'unindexed')).rejects.toBe(error);
});

test('an owner whose collection is still being made fails, and keeps no other from being indexed', async () => {
  const failures = await bring(rowsOf('new'), rowsOf('local'));
  expect([...failures.keys()]).toEqual(['new']);
  expect(embedded).toEqual([['local/0']]);
});
