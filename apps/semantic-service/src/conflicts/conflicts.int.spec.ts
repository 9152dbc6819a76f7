import { describe, expect, test } from '@jest/globals';
import { type Dated, type Instant } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { byClient } from '../features/feature-origins.js';
import { type FeatureChange } from '../features/feature-change.js';
import { type Feature } from '../features/feature.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { locationOf, type MemorySet } from '../sets/set.js';

const CATEGORY = 'profile';
const ALL = { pageSize: 10, pageNum: 0 };

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

type Added = Extract<FeatureChange, { kind: 'add' }>;

/** One after the other, so that the first is the oldest. */
async function add(...given: readonly Partial<Added>[]): Promise<void> {
  for (const one of given) {
    const change = { ...(specAdd('') as Added), isSingleValued: true, ...one };
    await spec.apply(set, CATEGORY, [change], byClient());
  }
}

const request = () => ({ tenant: project.tenant, organization: 'change' as const });

async function conflicts(options: object = {}): Promise<string[][]> {
  const { conflicts: found } = await services.conflicts.list({ ...request(), ...ALL, ...options });
  return found.map((features) => features.map(({ value }) => value));
}

const known = async (): Promise<Feature[]> =>
  (
    await spec.features.list(
      fullScope(locationOf(set)),
      [set.uid],
      { validity: 'all' },
      { offset: 0, limit: 50 },
    )
  ).features;

async function feature(value: string): Promise<Feature> {
  const found = (await known()).find((one) => one.value === value);
  if (!found) throw new Error(`There is no ${value}.`);
  return found;
}

const settle = async (value: string, others?: readonly string[]): Promise<void> => {
  const ids = others && (await Promise.all(others.map(async (one) => (await feature(one)).uid)));
  await services.conflicts.settle({
    ...request(),
    featureId: (await feature(value)).uid,
    ...(ids && { otherIds: ids }),
  });
};

const year = (at: number): Dated => ({ at: `${at}-01-01T00:00:00.000000Z` as Instant, precision: 'year' });

describe('features conflict', () => {
  test('that hold at once under a name that has one value at a time', async () => {
    await add({ value: 'Graz' }, { value: 'Linz', isSingleValued: undefined });
    expect(await conflicts()).toEqual([['Graz', 'Linz']]);
    const [graz, linz] = [await feature('Graz'), await feature('Linz')];
    expect(graz.conflictsWith).toEqual([linz.uid]);
    expect(linz.conflictsWith).toEqual([graz.uid]);
  });

  test('not of a name that may have several, or of which nothing says so', async () => {
    await add({ value: 'German', isSingleValued: false }, { value: 'Slovene' });
    await add({ value: 'Chess', name: 'hobby', isSingleValued: undefined });
    await add({ value: 'Golf', name: 'hobby', isSingleValued: undefined });
    expect(await conflicts()).toEqual([]);
  });

  test('not under another name, tag or subject, nor where values say the same', async () => {
    await add({ value: 'Graz' }, { value: ' graz. ' }, { value: 'Linz', name: 'birthplace' });
    await add(
      { value: 'Wien', tag: 'work' },
      { value: 'Enns', subject: 'bob' },
      { value: 'Ulm', subject: '' },
    );
    expect(await conflicts()).toEqual([]);
  });

  test('not when the one ends before the other begins', async () => {
    await add({ value: 'Graz', validUntil: year(2090) }, { value: 'Linz', validFrom: year(2090) });
    expect(await conflicts()).toEqual([]);
    await add({ value: 'Enns', validFrom: year(2089) });
    expect(await conflicts()).toEqual([['Graz', 'Linz', 'Enns']]);
    expect((await feature('Graz')).conflictsWith).toEqual([(await feature('Enns')).uid]);
  });

  test('not with what strangers say, who could make up any number of them', async () => {
    await add({ value: 'Graz' });
    const citation = specCitation(project.uid);
    await spec.unitOfWork.run((tx) =>
      spec.writer.apply(tx, {
        location: locationOf(set),
        category: CATEGORY,
        partition: { sourceProjectUid: undefined, isTrusted: false },
        changes: [{ ...(specAdd('Linz', citation) as Added), isSingleValued: true }],
        origin: { kind: 'ingestion', episodes: [] },
      }),
    );
    expect((await known()).map(({ value }) => value)).toEqual(['Graz', 'Linz']);
    expect(await conflicts()).toEqual([]);
  });
});

describe('the list', () => {
  test('has all of a project, page by page, oldest first, and of one set or subject', async () => {
    for (const name of ['a', 'b', 'c']) {
      await add({ name, value: `${name}1`, subject: name }, { name, value: `${name}2`, subject: name });
    }
    expect(await conflicts({ pageSize: 2, pageNum: 1 })).toEqual([['c1', 'c2']]);
    expect((await services.conflicts.list({ ...request(), pageSize: 1, pageNum: 9 })).total).toBe(3);
    expect(await conflicts({ subject: 'b' })).toEqual([['b1', 'b2']]);
    expect(await conflicts({ setId: set.id })).toHaveLength(3);
    await expect(conflicts({ setId: 'none' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('shows no other project anything', async () => {
    await add({ value: 'Graz' }, { value: 'Linz' });
    const { uid } = await feature('Graz');
    project = await spec.newProject({ orgId: project.tenant.orgId, projectId: 'next' });
    expect(await conflicts()).toEqual([]);
    await expect(services.conflicts.settle({ ...request(), featureId: uid })).rejects.toMatchObject({
      code: 'feature_not_found',
    });
  });
});

describe('settling', () => {
  /** Without what is too large for an answer. */
  async function valuesInConflict(): Promise<string[]> {
    const rows = await spec.query<{ value: string }>(
      `SELECT value FROM ${SCHEMA}.features WHERE set_uid = $1 AND superseded_by IS NULL ORDER BY created_at, uid`,
      [set.uid],
    );
    return rows.length > 1 ? rows.map(({ value }) => value) : [];
  }

  test('ends all others, as superseded; one undo brings them back', async () => {
    await add({ value: 'Graz' }, { value: 'Linz' }, { value: 'Wien' });
    await settle('Linz');
    const { uid } = await feature('Linz');
    for (const value of ['Graz', 'Wien']) {
      expect(await feature(value)).toMatchObject({
        supersededBy: uid,
        validUntil: { precision: 'time' },
        conflictsWith: [],
      });
    }
    expect(await conflicts()).toEqual([]);
    const [change] = (await services.history.changes({ ...request(), ...ALL, setId: set.id })).changes;
    expect(change).toMatchObject({
      origin: 'client',
      features: [{ action: 'update' }, { action: 'update' }],
    });
    await services.history.undoChanges({ ...request(), setId: set.id, changeIds: [change?.uid ?? ''] });
    expect(await conflicts()).toEqual([['Graz', 'Linz', 'Wien']]);
  });

  test('ends them when that began which holds, where this is known', async () => {
    await add({ value: 'Graz', validFrom: year(2001) }, { value: 'Linz', validFrom: year(2011) });
    await settle('Linz');
    expect((await feature('Graz')).validUntil).toEqual(year(2011));
  });

  test('of some leaves the others; of what does not conflict changes nothing', async () => {
    await add({ value: 'Graz' }, { value: 'Linz' }, { value: 'Wien' }, { value: 'Chess', name: 'hobby' });
    await expect(settle('Linz', ['Wien', 'Chess'])).rejects.toMatchObject({ code: 'conflict_not_found' });
    await expect(settle('Chess')).rejects.toMatchObject({ code: 'conflict_not_found' });
    expect(await conflicts()).toEqual([['Graz', 'Linz', 'Wien']]);
    await settle('Linz', ['Wien']);
    expect(await conflicts()).toEqual([['Graz', 'Linz']]);
  });

  test('ends as many at once as can be read together, and says so where more are named', async () => {
    const others = ['Linz', 'Wien', 'Bregenz'];
    await add({ value: 'Graz' }, ...others.map((value) => ({ value })));
    const { uid: featureId } = await feature('Graz');
    const named = await Promise.all(others.map(feature));
    await spec.query(
      `UPDATE ${SCHEMA}.features SET metadata = jsonb_build_object('k', repeat('x', 12000000))
       WHERE set_uid = $1 AND value <> 'Graz'`,
      [set.uid],
    );
    const all = { ...request(), featureId, otherIds: named.map(({ uid }) => uid) };
    await expect(services.conflicts.settle(all)).rejects.toMatchObject({ code: 'body_too_large' });
    expect(await services.conflicts.settle({ ...request(), featureId })).toEqual({ ended: 2, left: 1 });
    expect(await valuesInConflict()).toEqual(['Graz', 'Bregenz']);
    expect(await services.conflicts.settle({ ...request(), featureId })).toEqual({ ended: 1, left: 0 });
    expect(await valuesInConflict()).toEqual([]);
  });

  test('is refused to a key that speaks for another', async () => {
    await add({ value: 'Graz', subject: 'bob' }, { value: 'Linz', subject: 'bob' });
    const as = (producer: string): Promise<void> =>
      RequestContext.run({ requestId: 'r', author: { kind: 'api-key', id: 'k', producer } }, () =>
        settle('Graz'),
      );
    await expect(as('mallory')).rejects.toMatchObject({ code: 'producer_not_allowed' });
    await as('bob');
    expect(await conflicts()).toEqual([]);
  });
});

test('a model that says that a name has one value is believed; consolidation keeps what all say', async () => {
  const citation = specCitation(project.uid);
  await add({ value: 'Graz', isSingleValued: undefined });
  const change = { kind: 'update', tag: 'facts', name: 'fact', citations: [citation] } as const;
  await spec.apply(set, CATEGORY, [{ ...change, value: 'Graz', isSingleValued: true }], byClient());
  expect((await feature('Graz')).isSingleValued).toBe(true);
  const { uid } = await feature('Graz');
  const by = [{ tag: 'facts', name: 'fact', value: 'Graz, Austria' }];
  await spec.apply(set, CATEGORY, [{ kind: 'replace', uids: [uid], by }], byClient());
  expect((await feature('Graz, Austria')).isSingleValued).toBe(true);
});
