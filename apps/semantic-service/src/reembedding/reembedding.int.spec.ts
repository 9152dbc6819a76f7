import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { type OpenIndexVersion } from '@loci/indexing';
import { eventually, TestDatabase, testQdrant } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { FeatureReplica, migrate, SpecEmbedder } from '../../test/feature-replica.js';
import { type MemorySet } from '../sets/set.js';
import { fullScope } from '../projects/project.js';

const LEASE_MS = 500;
const FEATURES = 150;

const embedders = new Map<string, SpecEmbedder>();
let defaultName: string;
let database: TestDatabase;
let one: FeatureReplica;
let two: FeatureReplica;
let set: MemorySet;

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
  const options = {
    databaseUrl: database.url,
    qdrant: testQdrant(),
    prefix: `spec_${randomUUID()}`,
    embedders,
    defaultName: () => defaultName,
    leaseMs: LEASE_MS,
  };
  [one, two] = [await FeatureReplica.open(options), await FeatureReplica.open(options)];
});

afterAll(async () => {
  await one.close();
  await two.close();
  await database.drop();
});

beforeEach(async () => {
  for (const table of ['features', 'index_spaces']) await database.query(`DELETE FROM semantic.${table}`);
  defaultName = 'old';
  embedders.clear();
  embedders.set('old', new SpecEmbedder('old-4-00000000', 4));
  embedders.set('new', new SpecEmbedder('new-8-00000000', 8));
  embedders.set('other', new SpecEmbedder('other-2-00000000', 2));
  set = await one.openSet();
});

const NEVER = new AbortController().signal;

/** Features of a set, indexed. @returns their uids */
async function fill(count: number, into = set): Promise<string[]> {
  const values = Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 'value']));
  const uids = await one.write(into, values);
  await one.indexWaiting(into);
  return uids;
}

const configure = (configured: MemorySet, embedderName: string): Promise<boolean> =>
  one.unitOfWork.run((tx) => one.sets.configure(configured, { embedderName }, tx));

async function indexVersionBy(embedder: string): Promise<OpenIndexVersion> {
  const { all } = await one.indexVersions.find(set.uid);
  const found = all.find(({ indexVersion }) => indexVersion.embedder === embedder);
  if (!found) throw new Error(`Nothing is kept by ${embedder}.`);
  return found;
}

const countBy = async (embedder: string): Promise<number> =>
  (await indexVersionBy(embedder)).vectors.count(set.uid);

/** Until the collections of all embedders are made. */
const plan = (): Promise<unknown> =>
  eventually(() => one.planner.plan(NEVER), { what: 'every embedder was heard of' });

/** Builds all that can be built. */
async function build({ builder }: FeatureReplica): Promise<void> {
  await builder.build();
  await builder.ended();
}

const progress = () => one.progress.indexVersions(fullScope(set));

describe('which sets are re-embedded', () => {
  test('those that name no embedder, with the default; those that name one, when they name another', async () => {
    const chooser = await one.openSet();
    for (const filled of [set, chooser]) await fill(1, filled);
    await configure(chooser, 'other');
    defaultName = 'new';
    await plan();
    expect(await one.indexVersionsOf(set)).toEqual({ old: 'active', new: 'building' });
    expect(await one.indexVersionsOf(chooser)).toEqual({ old: 'active', other: 'building' });
    await build(one);
    expect(await one.indexVersionsOf(set)).toEqual({ old: 'retiring', new: 'active' });
    expect(await one.indexVersionsOf(chooser)).toEqual({ old: 'retiring', other: 'active' });
  });

  test('those that chose anew, by a look at them alone', async () => {
    const [chooser, back, other] = [await one.openSet(), await one.openSet(), await one.openSet()];
    for (const filled of [chooser, back, other]) await fill(1, filled);
    await configure(back, 'new');
    await plan();
    for (const choosing of [chooser, other]) await configure(choosing, 'new');
    await configure(back, '');
    expect(await one.planner.planFor([chooser.uid, back.uid])).toBe(true);
    expect(await one.indexVersionsOf(chooser)).toEqual({ old: 'active', new: 'building' });
    expect(await one.indexVersionsOf(back)).toEqual({ old: 'active', new: 'retiring' });
    expect(await one.indexVersionsOf(other)).toEqual({ old: 'active' });
  });

  test('a set whose first features come later begins with the embedder that it names', async () => {
    await configure(set, 'other');
    await fill(1);
    expect(await one.indexVersionsOf(set)).toEqual({ other: 'active' });
  });

  test('one whose embedder is another model under the same name', async () => {
    await fill(2);
    embedders.set('old', new SpecEmbedder('old-16-11111111', 16));
    await plan();
    await build(one);
    const { active } = await one.indexVersions.find(set.uid);
    expect(active?.indexVersion).toMatchObject({ embedder: 'old', fingerprint: 'old-16-11111111' });
    expect(await active?.vectors.count(set.uid)).toBe(2);
  });

  test('none whose embedder is not ready, and none of a project that is closed', async () => {
    await fill(1);
    const closed = await one.openSet();
    await fill(1, closed);
    const projectUid = closed.projectUid ?? '';
    await one.projects.close({ tenant: { orgId: closed.orgId, projectId: projectUid }, projectUid });
    defaultName = 'missing';
    await plan();
    expect(await one.indexVersionsOf(set)).toEqual({ old: 'active' });
    defaultName = 'new';
    await plan();
    expect(await one.indexVersionsOf(set)).toEqual({ old: 'active', new: 'building' });
    expect(await one.indexVersionsOf(closed)).toEqual({ old: 'active' });
  });
});

describe('re-embedding', () => {
  test('whose worker dies in the middle is finished by another, which embeds only what is missing', async () => {
    await fill(FEATURES);
    defaultName = 'new';
    await plan();
    const model = embedders.get('new')!;
    model.before = () => (model.embedded > 0 ? Promise.reject(new Error('killed')) : Promise.resolve());
    await build(one);
    const before = model.embedded;
    expect(before).toBeGreaterThan(0);
    expect(await progress()).toMatchObject([
      { state: 'building', progress: { embedder: 'new', dimensions: 8, sets: 1, indexed: before } },
      { state: 'active', progress: { embedder: 'old', dimensions: 4, sets: 1, indexed: FEATURES } },
    ]);
    model.before = () => Promise.resolve();
    const isDone = async (): Promise<boolean> => {
      await build(two);
      return (await two.indexVersionsOf(set))['new'] === 'active';
    };
    await eventually(isDone, { what: 'the lease has ended and the re-embedding is done' });
    expect(model.embedded).toBe(FEATURES);
    expect(await countBy('new')).toBe(FEATURES);
    expect(await one.indexVersionRows.of(set.uid)).toMatchObject({ hasWaiting: false });
  });

  test('that ended its process three times is not begun again by itself, says why, and leaves searches where they are', async () => {
    await fill(3);
    defaultName = 'new';
    await plan();
    for (let deaths = 0; deaths < 3; deaths += 1) expect(await one.reembeddings.claim(-1)).toBeDefined();
    await plan();
    await build(two);
    expect(embedders.get('new')?.embedded).toBe(0);
    expect(await one.indexVersionsOf(set)).toEqual({ old: 'active', new: 'building' });
    expect(await one.progress.problem(fullScope(set))).toContain('3 times in a row');
    expect(await countBy('old')).toBe(3);
  });

  test('does not get on while its embedder is down, says why, and leaves searches where they are', async () => {
    await fill(3);
    defaultName = 'new';
    await plan();
    embedders.get('new')!.before = () =>
      Promise.reject(unavailable('embedder_unavailable', 'The provider is down.'));
    await build(one);
    expect(await one.indexVersionsOf(set)).toEqual({ old: 'active', new: 'building' });
    expect(await one.progress.problem(fullScope(set))).toBe('The provider is down.');
    expect(await countBy('old')).toBe(3);
  });

  test('has what is added, changed and deleted meanwhile, as it is then', async () => {
    const [changed = '', deleted = ''] = await fill(3);
    defaultName = 'new';
    await plan();
    const building = await indexVersionBy('new');
    await one.indexer.index(building, await one.index.missing(building.indexVersion, 10));
    const [added = ''] = await one.write(set, { 'a late one': 'value', 'name 0': 'another value' });
    await one.remove(set, [deleted]);
    // what was re-embedded before it changed does not count
    expect(await one.reembeddings.complete(building.indexVersion)).toBe(false);
    expect(await one.index.gone(set.uid, [changed, deleted, added])).toEqual([deleted]);
    await one.indexer.purge(set.uid, [deleted]);
    await one.indexWaiting(set);
    expect(await one.reembeddings.complete(building.indexVersion)).toBe(true);
    // with what the changed one said before, which is kept as a feature that ended
    expect(await countBy('new')).toBe(4);
    const versions = await building.vectors.versions([changed, deleted, added]);
    const items = await one.marks.itemsFrom(building.indexVersion.fingerprint, changed, 10);
    const wanted = new Map(items.map(({ uid, version }) => [uid, version]));
    expect(versions.get(changed)).toBe(wanted.get(changed));
    expect([...versions.keys()].sort()).toEqual([added, changed].sort());
  });

  test('nothing is noted for a feature that changed since it was read, nor for an index version that was left', async () => {
    await fill(1);
    const active = await indexVersionBy('old');
    const [uid = ''] = await one.write(set, { 'name 0': 'read now' });
    const { wanted: read } = await one.index.sort(active.indexVersion, [uid]);
    await one.write(set, { 'name 0': 'changed since' });
    expect(await one.index.markIndexed(active.indexVersion, read)).toEqual([]);
    expect(await one.indexVersionRows.of(set.uid)).toMatchObject({ hasWaiting: true });
    defaultName = 'new';
    await plan();
    await build(one);
    const [late = ''] = await one.write(set, { late: 'value' });
    const { wanted } = await one.index.sort(active.indexVersion, [late]);
    expect(await one.index.markIndexed(active.indexVersion, wanted)).toEqual([]);
    expect(await one.indexVersionRows.of(set.uid)).toMatchObject({ hasWaiting: true });
  });
});
