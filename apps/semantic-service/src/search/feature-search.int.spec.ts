import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Filter, instantFromDate, type SystemField, unavailable } from '@loci/contracts';
import { UnindexedItems, WordStatistics } from '@loci/indexing';
import { Reranker } from '@loci/models';
import { SimilarityCurves } from '@loci/retrieval';
import { TestDatabase, testQdrant } from '@loci/testing';
import { QdrantVectorIndex } from '@loci/vectors';
import { randomUUID } from 'node:crypto';
import { FeatureReplica, migrate, SpecEmbedder } from '../../test/feature-replica.js';
import { type Citation, type FeatureRecord, featureText } from '../features/feature.js';
import { type IndexedFeature } from '../indexing/feature-points.js';
import { TRUSTED } from '../features/partition.js';
import { type MemorySet } from '../sets/set.js';
import { FeatureContext } from './feature-context.js';
import { SetsToSearch } from './sets-to-search.js';
import { featureScore } from './feature-score.js';
import { FeatureSearch, type FeatureHits, type FeatureQuery } from './feature-search.js';
import { KnownFeaturesRepository } from './known-features.repository.js';
import { QueryMeaning } from './query-meaning.js';
import { fullScope } from '../projects/project.js';
import { type ProjectsRepository } from '../projects/projects.repository.js';

/** More than a leg gives at first. */
const CROWD = 150;

let database: TestDatabase;
let replica: FeatureReplica;
let search: FeatureSearch;
let set: MemorySet;
const embedder = new SpecEmbedder('spec-4-00000000', 4);

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
  const unindexed = new UnindexedItems<IndexedFeature>(
    { waiting: (set, most) => replica.index.waiting(set, most), textOf: featureText },
    replica.indexer,
    60_000,
  );
  search = new FeatureSearch(
    replica.features,
    replica.indexVersions,
    unindexed,
    new WordStatistics(replica.words, replica.content),
    new SimilarityCurves(),
  );
});

afterAll(async () => {
  await replica.close();
  await database.drop();
});

beforeEach(async () => {
  embedder.before = () => Promise.resolve();
  embedder.meaningOf = () => 0;
  set = await replica.openSet();
});

const find = (query: Partial<FeatureQuery> = {}): Promise<FeatureHits> =>
  search.search({
    scope: fullScope(set),
    set,
    meaning: new QueryMeaning('tea'),
    filter: undefined,
    topK: 2,
    reranker: undefined,
    ...query,
  });

const valuesOf = ({ features }: FeatureHits): string[] => features.map(({ value }) => value);

const is = (name: SystemField, value: string): Filter => ({
  op: 'compare',
  field: { kind: 'system', name },
  comparison: '=',
  value: { type: 'string', value },
});

test('what is read is bounded with all that each feature names', async () => {
  await replica.write(set, { one: 'tea tea', two: 'tea or coffee' });
  const bytes = Buffer.byteLength(set.id);
  await expect(find({ maxBytes: 2 * bytes })).rejects.toMatchObject({ code: 'body_too_large' });
  expect(valuesOf(await find({ maxBytes: 2 * bytes + 200 }))).toHaveLength(2);
});

describe('a reranker', () => {
  /** Prefers what it was told to, and keeps what it read. */
  class Judge extends Reranker {
    override readonly name = 'judge';
    override readonly weight = 1;
    read: readonly string[] = [];

    constructor(private readonly favourite: string) {
      super();
    }

    override score(_: string, candidates: readonly string[]): Promise<number[]> {
      this.read = candidates;
      return Promise.resolve(candidates.map((text) => (text.endsWith(this.favourite) ? 1 : 0)));
    }

    override close(): Promise<void> {
      return Promise.resolve();
    }
  }

  const write = (): Promise<string[]> =>
    replica.write(set, { one: 'tea tea', two: 'tea or coffee', three: 'milk' });

  test('sorts more hits than are asked for, by all that features say', async () => {
    await write();
    expect(valuesOf(await find())).not.toContain('milk');
    const judge = new Judge('milk');
    const hits = await find({ reranker: () => Promise.resolve(judge) });
    expect(hits.degraded).toEqual([]);
    expect(hits.features).toHaveLength(2);
    expect(valuesOf(hits)[0]).toBe('milk');
    expect([...judge.read].sort()).toEqual([
      'tag. one: tea tea',
      'tag. three: milk',
      'tag. two: tea or coffee',
    ]);
  });

  test('says what it made of each score, where that is asked for', async () => {
    await write();
    const reranker = () => Promise.resolve(new Judge('milk'));
    const [plain] = (await find({ reranker })).features;
    expect(plain).not.toHaveProperty('explanation');
    const { features } = await find({ reranker, explain: true });
    for (const { score, explanation } of features) {
      const { parts = [], sum = Number.NaN, reranker: made } = explanation ?? {};
      expect(parts.reduce((total, { contribution }) => total + contribution, 0)).toBeCloseTo(sum, 10);
      expect(made?.scoreBefore).toBeCloseTo(featureScore(sum), 10);
      expect(made).toMatchObject({ weight: 1, opinion: score });
    }
    expect(features.map(({ explanation }) => explanation?.reranker?.rank)).toEqual([1, 2]);
  });

  test('that is down leaves the ranking as it is, and the answer says so', async () => {
    await write();
    const expected = valuesOf(await find());
    const down = unavailable('resource_not_ready', 'The reranker is failed.');
    const hits = await find({ reranker: () => Promise.reject(down) });
    expect([valuesOf(hits), hits.degraded]).toEqual([expected, ['reranker_unavailable']]);
  });
});

describe('a filter', () => {
  /** Saves a feature with something else in it; its vector is out of date then. */
  const change = (uid: string, changes: Partial<FeatureRecord>): Promise<void> =>
    replica.unitOfWork.run(async (tx) => {
      const scope = fullScope(set);
      const [record] = await replica.features.recordsOf(scope, [uid], tx);
      await replica.features.save(scope, [{ ...record!, ...changes }], tx);
    });

  const citation = (): Citation => ({
    episodeUid: randomUUID(),
    projectUid: set.projectUid ?? '',
    metadata: { mood: 'calm' },
    producerId: 'alice',
    producerRole: 'user',
    producedForId: '',
    createdAt: instantFromDate(new Date()),
  });

  /** One feature among many whose words fit the query better, and words are all that there is. @returns its uid */
  async function hide(): Promise<string> {
    const crowd = Array.from({ length: CROWD }, (_, index) => [`name ${index}`, 'tea tea tea'] as const);
    await replica.write(set, Object.fromEntries(crowd));
    const [uid = ''] = await replica.write(set, {
      hidden: 'a cup of tea, or of something else that is warm',
    });
    await change(uid, { citations: [citation()] });
    await replica.indexWaiting(set);
    embedder.before = () => Promise.reject(unavailable('embedder_unavailable', 'The embedder is down.'));
    return uid;
  }

  /** How far the index was asked for candidates, and what was found. */
  async function look(filter: Filter): Promise<{ limits: number[]; values: string[] }> {
    const asked = jest.spyOn(QdrantVectorIndex.prototype, 'search');
    const values = valuesOf(await find({ filter, topK: 1 }));
    const limits = asked.mock.calls.map(([, { limit }]) => limit);
    asked.mockRestore();
    return { limits, values };
  }

  test('of what points carry is decided in the index: what it lets through is among the first', async () => {
    const uid = await hide();
    const found = { limits: [100], values: ['a cup of tea, or of something else that is warm'] };
    expect(await look(is('feature_name', 'hidden'))).toEqual(found);
    expect(await look(is('uid', uid))).toEqual(found);
    expect(await look({ op: 'not', arg: is('tag', 'other') })).toMatchObject({ limits: [100] });
  });

  test('of metadata is decided in PostgreSQL, through cited episodes too, and the index gets what matches', async () => {
    const uid = await hide();
    const isMetadata = (key: string, value: string): Filter => ({
      op: 'compare',
      field: { kind: 'metadata', key },
      comparison: '=',
      value: { type: 'string', value },
    });
    const found = { limits: [100], values: ['a cup of tea, or of something else that is warm'] };
    expect(await look(isMetadata('id', uid))).toEqual(found);
    expect(await look(isMetadata('mood', 'calm'))).toEqual(found);
    expect(await look(isMetadata('mood', 'angry'))).toEqual({ limits: [100], values: [] });
  });

  test('goes by what a feature is now, not by what its point was', async () => {
    const uid = await hide();
    await change(uid, { category: 'moved' });
    expect(valuesOf(await find({ filter: is('category_name', 'moved'), topK: 5 }))).toHaveLength(1);
  });
});

describe('the reranker that a project chose', () => {
  const reference = () => {
    const projectUid = set.projectUid ?? '';
    return { projectUid, tenant: { orgId: set.orgId, projectId: projectUid } };
  };
  const adopt = (reranker: string, revision: number): Promise<void> =>
    replica.projects.adoptModels({ ...reference(), models: { embedder: '', reranker, revision } });
  const known = async (): Promise<string | undefined> =>
    (await replica.projects.findOpen(reference().tenant))?.reranker;

  test('is not known of a project that an event opened, until it is heard of', async () => {
    expect(await known()).toBeUndefined();
    await adopt('', 0);
    expect(await known()).toBe('');
  });

  test('is that of the newest choice, whichever event comes first', async () => {
    await adopt('second', 2);
    await adopt('first', 1);
    expect(await known()).toBe('second');
  });
});

describe('what a model is shown of what is known', () => {
  const shown = async (maxTokens: number, ...texts: readonly string[]): Promise<string[]> => {
    const context = new FeatureContext(new KnownFeaturesRepository(replica.unitOfWork), search);
    const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
    const request = { location, categories: ['spec'], partition: TRUSTED, subjects: [undefined], texts };
    return (await context.relevant({ ...request, maxTokens })).map(({ value }) => value);
  };

  const crowd = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, `entry number ${index}`]));

  test('is all of it where that fits, the last said first', async () => {
    await replica.write(set, { home: 'lives in Valencia' });
    await replica.write(set, { job: 'teaches chess' });
    expect(await shown(3_000, 'anything')).toEqual(['teaches chess', 'lives in Valencia']);
    expect(await shown(0, 'anything')).toEqual([]);
  });

  test('is else what each of the messages may contradict, however much was learned since, within the tokens', async () => {
    embedder.meaningOf = (text) => (text.includes('Valencia') ? 1 : text.includes('chess') ? 2 : 0);
    await replica.write(set, { home: 'lives in Valencia', job: 'teaches chess' });
    await replica.write(set, crowd(300));
    const texts = [...Object.values(crowd(6)), 'I left Valencia.', 'No more chess for me.'];
    const values = await shown(400, ...texts);
    expect(values).toEqual(expect.arrayContaining(['lives in Valencia', 'teaches chess']));
    expect(values.length).toBeGreaterThan(10);
    expect(values.length).toBeLessThanOrEqual(400 / 8);
    expect(new Set(values).size).toBe(values.length);
  });
});

describe('what a search begins with', () => {
  const reference = () => {
    const projectUid = set.projectUid ?? '';
    return { projectUid, tenant: { orgId: set.orgId, projectId: projectUid } };
  };
  let byName: number;
  let toSearch: SetsToSearch;

  beforeEach(() => {
    byName = 0;
    const find: ProjectsRepository['findOpen'] = (tenant) => {
      byName += 1;
      return replica.projects.findOpen(tenant);
    };
    toSearch = new SetsToSearch(replica.unitOfWork, { find });
  });

  const uids = async (metadata: Readonly<Record<string, string>> = {}): Promise<string[] | undefined> =>
    (await toSearch.find(reference().tenant, metadata))?.sets.map(({ uid }) => uid);

  test('is found by the uid that the project had before, and is what it was', async () => {
    expect((await uids())?.[0]).toBe(set.uid);
    expect((await uids())?.[0]).toBe(set.uid);
    expect(byName).toBe(1);
    await replica.projects.adoptModels({
      ...reference(),
      models: { embedder: '', reranker: 'judge', revision: 1 },
    });
    expect((await toSearch.find(reference().tenant, {}))?.project).toMatchObject({ reranker: 'judge' });
  });

  test('is nothing once the project is closed, and the successor when there is one', async () => {
    await uids();
    await replica.projects.close(reference());
    expect(await uids()).toBeUndefined();
    const successor = { ...reference(), projectUid: randomUUID() };
    await replica.projects.open(successor);
    const found = await toSearch.find(successor.tenant, {});
    expect(found?.project.uid).toBe(successor.projectUid);
    expect(found?.sets.map(({ uid }) => uid)).not.toContain(set.uid);
  });

  test('says that a set has no index, until its first feature is acknowledged, on whichever replica', async () => {
    const index = async () => (await toSearch.find(reference().tenant, {}))?.indexOf(set);
    expect(await index()).toEqual({ indexVersions: [], hasWaiting: false, wordsRevision: 0 });
    await replica.write(set, { one: 'tea' });
    expect(await index()).toEqual({ indexVersions: [], hasWaiting: true, wordsRevision: 0 });
    await find();
    expect(await index()).toMatchObject({ indexVersions: [{ ownerUid: set.uid, state: 'active' }] });
    expect(await index()).toEqual(await replica.indexVersionRows.of(set.uid));
  });

  test('has the sets of a type as soon as there is the type', async () => {
    const before = (await uids({ team: 'red' })) ?? [];
    const type = { uid: randomUUID(), orgId: set.orgId, projectUid: set.projectUid, tags: ['team'] };
    await replica.sets.addType({ ...type, name: undefined, description: undefined });
    const after = (await uids({ team: 'red' })) ?? [];
    expect(after).toHaveLength(before.length + 1);
    expect(after).toEqual(expect.arrayContaining(before));
  });
});
