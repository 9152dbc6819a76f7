import { expect, test } from '@jest/globals';
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
