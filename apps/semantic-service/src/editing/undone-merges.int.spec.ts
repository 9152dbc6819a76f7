import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { servicesOf, type SpecServices } from '../../test/semantic-services.js';
import { SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { type FeatureChange } from '../features/feature-change.js';
import { byClient } from '../features/feature-origins.js';
import { type ChangeOrigin } from '../features/feature.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

const CATEGORY = 'profile';
const MERGED: ChangeOrigin = { kind: 'consolidation', jobId: 'job', model: 'model', episodes: [] };

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  services = servicesOf(spec);
});

beforeEach(async () => {
  project = await spec.newProject();
  set = await spec.newSet(project);
});

afterAll(() => spec.close());

const asked = () => ({ tenant: project.tenant, organization: 'change' as const });

const learn = async (value: string): Promise<string> => {
  const { added } = await spec.apply(set, CATEGORY, [specAdd(value, specCitation(project.uid))]);
  return added[0] ?? '';
};

const remove = (uid: string): Promise<unknown> =>
  spec.apply(set, CATEGORY, [{ kind: 'remove', uids: [uid] }], byClient());

/** As a consolidation does. @returns the uid of what is made of them */
async function merge(uids: readonly string[], value: string): Promise<string> {
  const by = [{ tag: 'facts', name: 'fact', value }];
  const { added } = await spec.apply(set, CATEGORY, [{ kind: 'replace', uids, by }], MERGED);
  return added[0] ?? '';
}

/** What holds. */
async function shown(): Promise<string[]> {
  const page = { offset: 0, limit: 100 };
  const { features } = await spec.features.list(fullScope(set), [set.uid], { validity: 'current' }, page);
  return features.map(({ value }) => value).sort();
}

/** The changes of a feature, oldest first. */
async function changesOf(featureId: string): Promise<(string | undefined)[]> {
  const { entries } = await services.history.list({ ...asked(), featureId });
  return entries.map(({ origin }) => origin.changeUid).reverse();
}

const undo = (featureId: string, changeId?: string): Promise<void> =>
  services.history.undo({ ...asked(), featureId, changeId });

describe('a feature that was merged since an older change of it', () => {
  let tea: string;
  let chai: string;
  let change: string | undefined;

  beforeEach(async () => {
    tea = await learn('tea');
    const update = { ...specAdd('green tea', specCitation(project.uid)), kind: 'update' } as FeatureChange;
    await spec.apply(set, CATEGORY, [update]);
    [, change] = await changesOf(tea);
    chai = await learn('chai');
  });

  test('is not beside what it has become when that change is undone: the merge is, too', async () => {
    await merge([tea, chai], 'green tea or chai');
    await undo(tea, change);
    expect(await shown()).toEqual(['chai', 'tea']);
    await undo(tea);
    expect(await shown()).toEqual(['green tea or chai']);
  });

  test('leaves nothing behind in what it has become when its making is undone', async () => {
    const [made] = await changesOf(tea);
    await merge([tea, chai], 'green tea or chai');
    await undo(tea, made);
    expect(await shown()).toEqual(['chai']);
  });

  test('comes back with all that became one with it, by one merge after the other', async () => {
    const coffee = await learn('coffee');
    const both = await merge([tea, chai], 'green tea or chai');
    await merge([both, coffee], 'anything hot');
    await undo(tea, change);
    expect(await shown()).toEqual(['chai', 'coffee', 'tea']);
  });

  test('comes back alone where what it had become was deleted: what was deleted with it was not asked for', async () => {
    const both = await merge([tea, chai], 'green tea or chai');
    await remove(both);
    await undo(tea, change);
    expect(await shown()).toEqual(['tea']);
  });

  test('comes back alone where it was deleted, and not merged', async () => {
    await remove(tea);
    await undo(tea, change);
    expect(await shown()).toEqual(['chai', 'tea']);
  });
});
