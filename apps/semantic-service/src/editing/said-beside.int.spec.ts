import { beforeEach, expect, test } from '@jest/globals';
import { type UpdateFeatureRequest } from '@loci/contracts';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation, specDate } from '../../test/semantic-spec.js';
import { type Citation, type Feature } from '../features/feature.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;
let said: Citation;
let featureId: string;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

beforeEach(async () => {
  said = specCitation(project.uid);
  [featureId = ''] = (await spec.apply(set, 'profile', [specAdd('Graz', said)])).added;
});

const update = (change: Partial<UpdateFeatureRequest>): Promise<void> =>
  services.editing.update({ tenant: project.tenant, organization: 'change', featureId, ...change });

const known = (): Promise<readonly Feature[]> => spec.known(set);

const BESIDE: readonly (readonly [string, Partial<UpdateFeatureRequest>])[] = [
  ['has one value at a time', { isSingleValued: true }],
  ['has several values', { isSingleValued: false }],
  ['holds since a day', { validity: { validFrom: specDate('2023-02-01') } }],
  ['held until a day', { validity: { validUntil: specDate('2024-06-01') } }],
];

test.each(BESIDE)('a client that says that a fact %s does not vouch for it', async (_, change) => {
  await update(change);
  expect(await known()).toMatchObject([{ value: 'Graz', trust: 'trusted', origin: { kind: 'ingestion' } }]);
});

test.each(BESIDE)('a fact of which a client says that it %s goes with its messages', async (_, change) => {
  await update(change);
  await spec.forget(project.uid, [said.episodeUid]);
  expect(await known()).toEqual([]);
});

test('messages may say something else than a fact of which a client says that it has one value', async () => {
  await update({ isSingleValued: true, validity: { validFrom: specDate('2023') } });
  const moved = specCitation(project.uid);
  await spec.apply(set, 'profile', [
    {
      kind: 'update',
      tag: 'facts',
      name: 'fact',
      value: 'Linz',
      citations: [moved],
      validFrom: specDate('2025'),
    },
  ]);
  const found = (await known()).map(({ value, isSingleValued, validFrom, validUntil }) => ({
    value,
    isSingleValued,
    from: validFrom?.at.slice(0, 4),
    until: validUntil?.at.slice(0, 4),
  }));
  expect(found).toEqual([
    { value: 'Linz', isSingleValued: true, from: '2025', until: undefined },
    { value: 'Graz', isSingleValued: true, from: '2023', until: '2025' },
  ]);
});

test.each<Partial<UpdateFeatureRequest>>([{ value: 'Graz' }, { tag: 'home' }, { metadata: { seen: 'yes' } }])(
  'a client that words a fact, as %j, vouches for it: it stays without its messages',
  async (change) => {
    await update({ ...change, isSingleValued: true });
    await spec.forget(project.uid, [said.episodeUid]);
    expect(await known()).toMatchObject([{ value: 'Graz', trust: 'protected', origin: { kind: 'client' } }]);
  },
);
