import { beforeEach, expect, test } from '@jest/globals';
import { type Dated } from '@loci/contracts';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation, specDate } from '../../test/semantic-spec.js';
import { byClient } from '../features/feature-origins.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;
let featureId: string;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

beforeEach(async () => {
  const lived = { ...specAdd('Valencia', specCitation(project.uid)), validFrom: specDate('2020') };
  [featureId = ''] = (await spec.apply(set, 'profile', [lived], byClient())).added;
});

const asked = () => ({ tenant: project.tenant, organization: 'change' as const });

const correct = (value: string, since: string): Promise<void> =>
  services.editing.update({ ...asked(), featureId, value, validity: { validFrom: specDate(since) } });

/** Each value with the years in which it holds. */
async function shown(): Promise<string[]> {
  return (await spec.known(set))
    .map(({ value, validFrom, validUntil }) => {
      const year = (dated: Dated | undefined): string => dated?.at.slice(0, 4) ?? '';
      return `${value} ${year(validFrom)}..${year(validUntil)}`;
    })
    .sort();
}

test('a value that is corrected to one that began earlier leaves nothing beside it', async () => {
  await correct('Malmo', '2022');
  const before = await shown();
  await correct('Gothenburg', '2021');
  expect(await shown()).toEqual(['Gothenburg 2021..', 'Malmo 2022..2022', 'Valencia 2020..2021']);
  await services.history.undo({ ...asked(), featureId, changeId: undefined, idempotency: undefined });
  expect(await shown()).toEqual(before);
});

test.each(['2021', '2023'])('what a value replaced ends when that is said to begin: %s', async (since) => {
  await correct('Gothenburg', '2022');
  await correct('Gothenburg', since);
  expect(await shown()).toEqual([`Gothenburg ${since}..`, `Valencia 2020..${since}`]);
});

test('a value that replaces another one later leaves what that replaced', async () => {
  await correct('Malmo', '2022');
  await correct('Gothenburg', '2023');
  expect(await shown()).toEqual(['Gothenburg 2023..', 'Malmo 2022..2023', 'Valencia 2020..2022']);
});
