import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { servicesOf } from '../../test/semantic-services.js';
import { SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { locationOf, type MemorySet } from '../sets/set.js';
import { type FeatureChange } from './feature-change.js';
import { byClient } from './feature-origins.js';

const CATEGORY = 'profile';

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

beforeAll(async () => {
  spec = await SemanticSpec.create();
});

afterAll(() => spec.close());

const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const named = (kind: 'add' | 'update', name: number, value: string): FeatureChange => ({
  ...(specAdd(value, specCitation(project.uid)) as Extract<FeatureChange, { kind: 'add' }>),
  kind,
  name: `name ${name}`,
});

const adds = (count: number): FeatureChange[] => indexes(count).map((index) => named('add', index, 'said'));

const apply = (changes: readonly FeatureChange[]): Promise<unknown> => spec.apply(set, CATEGORY, changes);

async function addedUids(count: number): Promise<readonly string[]> {
  return (await spec.apply(set, CATEGORY, adds(count))).added;
}

/** What is measured, each with what is there before it. @returns the work on so many features */
const BATCHES: Readonly<Record<string, (count: number) => Promise<() => Promise<unknown>>>> = {
  additions: (count) => Promise.resolve(() => apply(adds(count))),
  'more citations of what is there': async (count) => {
    await addedUids(count);
    return () => apply(adds(count));
  },
  updates: async (count) => {
    await addedUids(count);
    return () => apply(indexes(count).map((index) => named('update', index, 'corrected')));
  },
  removals: async (count) => {
    await addedUids(count);
    return () =>
      apply(indexes(count).map((index) => ({ kind: 'delete', tag: 'facts', name: `name ${index}` })));
  },
  replacements: async (count) => {
    const uids = await addedUids(2 * count);
    const by = [{ tag: 'facts', name: 'fact', value: 'merged' }];
    const pairs = indexes(count).map((index) => uids.slice(2 * index, 2 * index + 2));
    return () =>
      apply(
        pairs.map((pair, index) => ({
          kind: 'replace',
          uids: pair,
          by: by.map((one) => ({ ...one, name: `merged ${index}` })),
        })),
      );
  },
  'removals by a client': async (count) => {
    const uids = await addedUids(count);
    const { features, writer, unitOfWork } = spec;
    const scope = { orgId: set.orgId, projectUid: project.uid, organization: 'change' } as const;
    return () =>
      unitOfWork.run(async (tx) => {
        const records = await features.recordsOf(scope, uids, tx);
        await writer.erase(tx, records);
      });
  },
  'a change undone': async (count) => {
    await addedUids(count);
    const change = indexes(count).map((index) => named('update', index, 'corrected'));
    await spec.apply(set, CATEGORY, change);
    const { history } = servicesOf(spec);
    const { tenant } = project;
    const { changes } = await history.changes({
      tenant,
      organization: 'change',
      setId: set.id,
      pageSize: 1,
      pageNum: 0,
    });
    const changeIds = changes.map(({ uid }) => uid);
    return () => history.undoChanges({ tenant, organization: 'change', setId: set.id, changeIds });
  },
};

/** Figures of docs/performance.md. */
test.each([
  ['additions', 12],
  ['more citations of what is there', 12],
  ['updates', 12],
  ['removals', 9],
  ['replacements', 11],
  ['removals by a client', 13],
  ['a change undone', 26],
])('%s: as many statements for 50 features as for one, %i', async (name, statements) => {
  const counts: Record<number, number> = {};
  for (const size of [1, 5, 10, 50]) {
    project = await spec.newProject();
    set = await spec.newSet(project);
    const work = await BATCHES[name]!(size);
    counts[size] = await spec.statementsOf(work);
  }
  expect(counts).toEqual({ 1: statements, 5: statements, 10: statements, 50: statements });
});

test('what a transaction holds and has locked, it does not ask for again', async () => {
  project = await spec.newProject();
  const [first, second] = [await spec.newSet(project), await spec.newSet(project)];
  const owner = { orgId: project.tenant.orgId, projectUid: project.uid };
  const hold = (times: number) => async (): Promise<void> => {
    await spec.unitOfWork.run(async (tx) => {
      for (let n = 0; n < times; n += 1) {
        expect(await spec.projects.keepOpen(owner, [project.uid], tx)).toEqual(new Set([project.uid]));
        await spec.features.lockSets([first.uid], tx);
      }
      await spec.features.lockSets([first.uid, second.uid], tx);
    });
  };
  expect(await spec.statementsOf(hold(3))).toBe(await spec.statementsOf(hold(1)));
});

test('a project that is held by another scope is asked for again', async () => {
  project = await spec.newProject();
  const stranger = { orgId: 'stranger', projectUid: undefined };
  await spec.unitOfWork.run(async (tx) => {
    expect(await spec.projects.keepAllOpen([project.uid], tx)).toEqual(new Set([project.uid]));
    expect(await spec.projects.keepOpen(stranger, [project.uid], tx)).toEqual(new Set());
  });
});

test('features exchange what they say in one batch', async () => {
  project = await spec.newProject();
  set = await spec.newSet(project);
  await apply([specAdd('x', specCitation(project.uid)), specAdd('y', specCitation(project.uid))]);
  const scope = fullScope(set);
  await spec.unitOfWork.run(async (tx) => {
    const [first, second] = await spec.features.records(locationOf(set), { category: CATEGORY }, tx);
    if (!first || !second) throw new Error('no features');
    const writes = [
      { record: { ...first, value: 'y' }, before: first },
      { record: { ...second, value: 'x' }, before: second },
    ];
    expect(await spec.writer.writeAll(tx, { writes, origin: byClient() })).toEqual([first.uid, second.uid]);
    const after = await spec.features.recordsOf(scope, [first.uid, second.uid], tx);
    expect(after.map(({ uid, value }) => [uid, value])).toEqual([
      [first.uid, 'y'],
      [second.uid, 'x'],
    ]);
  });
});

test('a step sees what those before it left; what came and went leaves its history', async () => {
  project = await spec.newProject();
  set = await spec.newSet(project);
  const steps: FeatureChange[] = [
    named('add', 1, 'said'),
    named('update', 1, 'corrected'),
    { kind: 'delete', tag: 'facts', name: 'name 1' },
  ];
  const { removed } = await spec.apply(set, CATEGORY, steps);
  expect(await spec.features.newest(locationOf(set), CATEGORY, { limit: 9 })).toEqual([]);
  const entries = await spec.history.ofFeature(fullScope(set), removed[0] ?? '');
  expect(entries.map(({ action, after }) => [action, after?.value])).toEqual([
    ['remove', undefined],
    ['update', 'corrected'],
    ['add', 'said'],
  ]);
});
