import { describe, expect, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { type FeatureChange } from '../features/feature-change.js';
import { byClient } from '../features/feature-origins.js';
import { type ChangeOrigin } from '../features/feature.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

const CATEGORY = 'profile';
const MERGED: ChangeOrigin = { kind: 'consolidation', jobId: 'job', model: 'model', episodes: [] };

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

const asked = () => ({ tenant: project.tenant, organization: 'change' as const });

/** The features of these values that a message says, by value. */
async function learned(...values: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const uids: Record<string, string> = {};
  for (const value of values) {
    const { added } = await spec.apply(set, CATEGORY, [specAdd(value, specCitation(project.uid))]);
    uids[value] = added[0] ?? '';
  }
  return uids;
}

const pin = (featureId = '', isPinned = true): Promise<void> =>
  services.editing.update({ ...asked(), featureId, isPinned });

const undo = (featureId = '', changeId?: string): Promise<void> =>
  services.history.undo({ ...asked(), featureId, changeId });

/** As a consolidation does. */
const merge = (uids: readonly (string | undefined)[], value: string) => {
  const by = [{ tag: 'facts', name: 'fact', value }];
  const change = { kind: 'replace', uids: uids.map((uid = '') => uid), by } as const;
  return spec.apply(set, CATEGORY, [change], MERGED);
};

/** What there is, with a star where it is pinned. */
async function shown(): Promise<string[]> {
  return (await spec.known(set)).map(({ value, isPinned }) => (isPinned ? `${value} *` : value)).sort();
}

/** Tombstones go as soon as their vectors are gone. */
const dropTombstones = (): Promise<unknown> =>
  spec.query(`DELETE FROM ${SCHEMA}.features WHERE set_uid = $1 AND deleted_at IS NOT NULL`, [set.uid]);

const update = (value: string): FeatureChange => ({
  ...(specAdd(value, specCitation(project.uid)) as Extract<FeatureChange, { kind: 'add' }>),
  kind: 'update',
});

describe('of a feature that is there, undo leaves the pin as it is now', () => {
  test('whether a client or a model changed it', async () => {
    const { tea } = await learned('tea');
    await pin(tea);
    await services.editing.update({ ...asked(), featureId: tea ?? '', value: 'coffee' });
    await undo(tea);
    expect(await shown()).toEqual(['tea *']);
    await undo(tea);
    expect(await shown()).toEqual(['coffee *', 'tea']);
  });

  test('where it was pinned, or its pin taken away, since the change', async () => {
    const { tea } = await learned('tea');
    await spec.apply(set, CATEGORY, [update('coffee')]);
    await pin(tea);
    await undo(tea);
    expect(await shown()).toEqual(['tea *']);
    await pin(tea, false);
    await undo(tea);
    expect(await shown()).toEqual(['coffee', 'tea']);
  });
});

describe('a pinned feature that comes back is pinned', () => {
  test('when a model had removed it, and that is undone twice', async () => {
    const { tea } = await learned('tea');
    await pin(tea);
    await spec.apply(set, CATEGORY, [{ kind: 'delete', tag: 'facts', name: 'fact' }]);
    await dropTombstones();
    await undo(tea);
    expect(await shown()).toEqual(['tea *']);
    await undo(tea);
    await dropTombstones();
    await undo(tea);
    expect(await shown()).toEqual(['tea *']);
  });

  test('when a merge had replaced it by another, which goes', async () => {
    const { tea, chai } = await learned('tea', 'chai');
    await pin(tea);
    await merge([tea, chai], 'tea or chai');
    expect(await shown()).toEqual(['tea or chai *']);
    await dropTombstones();
    await undo(chai);
    expect(await shown()).toEqual(['chai', 'tea *']);
    await dropTombstones();
    await undo(chai);
    expect(await shown()).toEqual(['tea or chai *']);
    await undo(chai);
    expect(await shown()).toEqual(['chai', 'tea *']);
  });

  test('unless an older version noted no pin', async () => {
    const { tea } = await learned('tea');
    await spec.apply(set, CATEGORY, [{ kind: 'remove', uids: [tea ?? ''] }], byClient());
    await spec.query(`UPDATE ${SCHEMA}.feature_history SET before = before - 'isPinned' WHERE set_uid = $1`, [
      set.uid,
    ]);
    await undo(tea);
    expect(await shown()).toEqual(['tea']);
  });
});

describe('a merge gave the pin of a feature to one that is there', () => {
  test('which is told in its history, and undo takes back both ways', async () => {
    const { tea, chai } = await learned('tea', 'chai');
    await pin(tea);
    await merge([tea], 'chai');
    expect(await shown()).toEqual(['chai *']);
    await undo(tea);
    expect(await shown()).toEqual(['chai', 'tea *']);
    await undo(chai);
    expect(await shown()).toEqual(['chai *']);
    await undo(chai);
    expect(await shown()).toEqual(['chai', 'tea *']);
  });

  test('also where the pin is all that it gains', async () => {
    const citation = specCitation(project.uid);
    const { added } = await spec.apply(set, CATEGORY, [specAdd('tea', citation), specAdd('chai', citation)]);
    const [tea, chai] = added;
    await pin(tea);
    await merge([tea], 'chai');
    expect(await shown()).toEqual(['chai *']);
    await undo(chai);
    expect(await shown()).toEqual(['chai', 'tea *']);
  });

  test('and that had one itself, so that it keeps it', async () => {
    const { tea, chai } = await learned('tea', 'chai');
    await pin(tea);
    await pin(chai);
    await merge([tea], 'chai');
    await undo(chai);
    expect(await shown()).toEqual(['chai *', 'tea *']);
  });

  test('and that a client has pinned since, so that it keeps it', async () => {
    const { tea, chai } = await learned('tea', 'chai');
    await pin(tea);
    await merge([tea], 'chai');
    await pin(chai);
    await undo(chai);
    expect(await shown()).toEqual(['chai *', 'tea *']);
  });

  test('and a client took it away since: it is pinned no more, and the other is', async () => {
    const { tea, chai } = await learned('tea', 'chai');
    await pin(tea);
    await merge([tea], 'chai');
    await pin(chai, false);
    await undo(chai);
    expect(await shown()).toEqual(['chai', 'tea *']);
  });

  test('and undo took it back, which a client confirmed: undoing that brings the pin to neither', async () => {
    const { tea, chai } = await learned('tea', 'chai');
    await pin(tea);
    await merge([tea], 'chai');
    await undo(chai);
    await pin(chai, false);
    await undo(chai);
    expect(await shown()).toEqual(['chai']);
  });
});

test('a client takes a pin away and corrects what was pinned in one request', async () => {
  const { tea } = await learned('tea');
  await pin(tea);
  await services.editing.update({ ...asked(), featureId: tea ?? '', value: 'coffee', isPinned: false });
  expect(await shown()).toEqual(['coffee', 'tea']);
});
