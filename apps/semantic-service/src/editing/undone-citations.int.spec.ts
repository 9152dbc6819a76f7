import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { type FeatureChange } from '../features/feature-change.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

const metadataOf = async (featureUid: string): Promise<object[]> =>
  (
    await spec.query<{ metadata: object }>(
      `SELECT metadata FROM ${SCHEMA}.citations WHERE feature_uid = $1`,
      [featureUid],
    )
  ).map(({ metadata }) => metadata);

test('history keeps the metadata of a citation once, and undo brings them back', async () => {
  const [tea, coffee] = [specCitation(project.uid), specCitation(project.uid)];
  const { added } = await spec.apply(set, 'profile', [specAdd('tea', tea)]);
  const [uid = ''] = added;
  await spec.apply(set, 'profile', [
    { ...specAdd('coffee', { ...coffee, metadata: { room: 'hall' } }), kind: 'update' } as FeatureChange,
  ]);
  expect(await metadataOf(uid)).toEqual([{ room: 'hall' }]);
  const kept = await spec.query<object>(
    `SELECT before #> '{citations,0,metadata}' AS before, after #> '{citations,0,metadata}' AS after
     FROM ${SCHEMA}.feature_history WHERE feature_uid = $1 ORDER BY uid`,
    [uid],
  );
  expect(kept).toEqual([
    { before: null, after: {} },
    { before: tea.metadata, after: {} },
  ]);
  await services.history.undo({ tenant: project.tenant, organization: 'change', featureId: uid });
  expect((await spec.known(set)).map(({ value }) => value)).toEqual(['tea']);
  expect(await metadataOf(uid)).toEqual([tea.metadata]);
});

test('what a message said that is deleted while a change is taken back stays away', async () => {
  const { added } = await spec.apply(set, 'profile', [specAdd('tea', specCitation(project.uid))]);
  await spec.apply(set, 'profile', [
    { ...specAdd('coffee', specCitation(project.uid)), kind: 'update' } as FeatureChange,
  ]);
  const [featureId = ''] = added;
  let undone: Promise<void> | undefined;
  await spec.unitOfWork.run(async (tx) => {
    await spec.projects.lock(project.uid, tx);
    undone = services.history.undo({ tenant: project.tenant, organization: 'change', featureId });
    await eventually(() => spec.isBlocked(), { what: 'undo waits for the project' });
    await spec.history.forget(set, [featureId], tx);
  });
  await expect(undone).rejects.toMatchObject({ code: 'change_not_found' });
  expect(await spec.known(set, 'current')).toMatchObject([{ value: 'coffee' }]);
});

test('what only a closed project supports does not come back in a set of its organization', async () => {
  const ofOrganization = await spec.newSet(project, { isOrgLevel: true });
  const closed = await spec.newProject({ orgId: project.tenant.orgId, projectId: 'closed' });
  const { added } = await spec.apply(ofOrganization, 'profile', [specAdd('tea', specCitation(closed.uid))]);
  const [featureId = ''] = added;
  await spec.apply(ofOrganization, 'profile', [{ kind: 'remove', uids: [featureId] }]);
  await services.categories.add({
    ...{ tenant: project.tenant, organization: 'change', setId: ofOrganization.id },
    ...{ name: 'profile', prompt: 'What matters.' },
  });
  await spec.projects.close({ projectUid: closed.uid, tenant: closed.tenant });
  const undone = services.history.undo({ tenant: project.tenant, organization: 'change', featureId });
  await expect(undone).rejects.toMatchObject({ code: 'change_not_found' });
  expect(await spec.known(ofOrganization)).toEqual([]);
});
