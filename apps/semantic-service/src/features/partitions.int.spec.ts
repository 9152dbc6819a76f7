import { describe, expect, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { type OpenProject, fullScope } from '../projects/project.js';
import { locationOf, type MemorySet } from '../sets/set.js';
import { type FeatureChange } from './feature-change.js';
import { byClient } from './feature-origins.js';
import { type Partition, TRUSTED } from './partition.js';

const CATEGORY = 'facts';
const UNTRUSTED: Partition = { ...TRUSTED, isTrusted: false };
const BY_MODEL = { kind: 'ingestion', jobId: 'job', model: 'gpt', episodes: [] } as const;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

const apply = (partition: Partition, ...changes: readonly FeatureChange[]): Promise<unknown> => {
  const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
  const request = { location, category: CATEGORY, partition, changes, origin: BY_MODEL };
  return spec.unitOfWork.run((tx) => spec.writer.apply(tx, request));
};

const cited = (): ReturnType<typeof specCitation> => specCitation(project.uid);
const update = (value: string, citation = cited()): FeatureChange =>
  ({ ...specAdd(value, citation), kind: 'update' }) as FeatureChange;
const REMOVAL: FeatureChange = { kind: 'delete', tag: 'facts', name: 'fact' };

/** What the features say, how far they are trusted, and how many messages they cite. */
async function shown(): Promise<string[]> {
  const features = await spec.features.newest(locationOf(set), CATEGORY, { limit: 100 });
  const lines = features.map(async ({ uid, value, trust }) => {
    const found = await spec.features.find(fullScope(set), uid);
    return `${value} ${trust} ${found?.citations.length ?? 0}`;
  });
  return (await Promise.all(lines)).sort();
}

describe('what untrusted messages bring about', () => {
  test('is marked, and changes no feature that trusted ones support', async () => {
    await apply(TRUSTED, specAdd('true', cited()));
    await apply(UNTRUSTED, REMOVAL, update('false'));
    expect(await shown()).toEqual(['false untrusted 1', 'true trusted 1']);
    await apply(UNTRUSTED, update('falser'));
    expect(await shown()).toEqual(['falser untrusted 1', 'true trusted 1']);
    await apply(UNTRUSTED, REMOVAL);
    expect(await shown()).toEqual(['true trusted 1']);
  });

  test('adds no citation to a trusted feature that says the very same, nor takes one from it', async () => {
    await apply(TRUSTED, specAdd('true', cited()));
    await apply(UNTRUSTED, specAdd('true', cited()));
    expect(await shown()).toEqual(['true trusted 1', 'true untrusted 1']);
    await apply(UNTRUSTED, update('other'));
    await apply(UNTRUSTED, update('true'));
    expect(await shown()).toEqual(['true trusted 1', 'true untrusted 1']);
  });

  test('replaces nothing by the ids of trusted features', async () => {
    await apply(TRUSTED, specAdd('a', cited()), specAdd('b', cited()));
    const uids = (await spec.features.newest(locationOf(set), CATEGORY, { limit: 9 })).map(({ uid }) => uid);
    const by = [{ tag: 'facts', name: 'fact', value: 'merged' }];
    await apply(UNTRUSTED, { kind: 'replace', uids, by }, { kind: 'remove', uids });
    expect(await shown()).toEqual(['a trusted 1', 'b trusted 1']);
  });

  test('is left as it is by trusted ones', async () => {
    await apply(UNTRUSTED, specAdd('said', cited()));
    await apply(TRUSTED, REMOVAL, update('said'));
    expect(await shown()).toEqual(['said trusted 1', 'said untrusted 1']);
  });
});

test('in a set of an organization messages of one project change no feature of another, nor what clients wrote', async () => {
  const other = await spec.newProject({ orgId: project.tenant.orgId, projectId: 'other' });
  set = await spec.newSet(project, { isOrgLevel: true, tags: { user: project.uid } });
  const [mine, theirs] = [project, other].map(({ uid }) => ({ sourceProjectUid: uid, isTrusted: true }));
  if (!mine || !theirs) throw new Error('no partitions');
  await apply(mine, specAdd('mine', cited()));
  await spec.apply(set, CATEGORY, [specAdd('written')], byClient());
  await apply(
    theirs,
    REMOVAL,
    specAdd('mine', specCitation(other.uid)),
    update('theirs', specCitation(other.uid)),
  );
  expect(await shown()).toEqual(['mine trusted 1', 'theirs trusted 1', 'written protected 0']);
});

test('the filter field trust chooses by it', async () => {
  await apply(UNTRUSTED, specAdd('read somewhere', cited()));
  await apply(TRUSTED, specAdd('known', cited()));
  const filter = {
    op: 'compare',
    field: { kind: 'system', name: 'trust' },
    comparison: '!=',
    value: { type: 'string', value: 'untrusted' },
  } as const;
  const page = { offset: 0, limit: 10 };
  const { features } = await spec.features.list(fullScope(set), [set.uid], { filter }, page);
  expect(features.map(({ value }) => value)).toEqual(['known']);
});

test('a feature says who determined it: the model of an ingestion, then the client that corrects it', async () => {
  await apply(TRUSTED, specAdd('x', cited()));
  const [learned] = await spec.features.newest(locationOf(set), CATEGORY, { limit: 1 });
  expect(learned?.origin).toEqual({ kind: 'ingestion', model: 'gpt' });
  const author = { kind: 'api-key', id: 'k', name: 'agent', producer: 'ada' } as const;
  await spec.apply(set, CATEGORY, [update('y')], { kind: 'client', author, episodes: [] });
  const [corrected] = await spec.features.newest(locationOf(set), CATEGORY, { limit: 1 });
  expect(corrected).toMatchObject({ trust: 'protected', origin: { kind: 'client', author } });
  const [latest] = await spec.history.ofFeature(fullScope(set), learned?.uid ?? '');
  expect(latest).toMatchObject({ origin: { author }, before: { origin: { kind: 'ingestion' } } });
});
