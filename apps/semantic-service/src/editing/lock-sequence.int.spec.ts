import { expect, jest, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec } from '../../test/semantic-spec.js';
import { KEEP_CATEGORY } from '../categories/keep-category.sql.js';
import { LOCK_SETS } from '../features/lock-sets.sql.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

const asked = () => ({ tenant: project.tenant, organization: 'change' as const });

const addCategory = (name: string): Promise<string> =>
  services.categories.add({
    ...asked(),
    setId: set.id,
    name,
    description: 'd',
    prompt: 'p',
    idempotency: undefined,
  });

const addFeature = (): Promise<string> =>
  services.editing.add({
    ...asked(),
    setId: set.id,
    category: 'mine',
    tag: 'facts',
    name: 'fact',
    value: 'known',
    metadata: {},
    citations: [],
  });

/** What a change of features locks, in sequence. */
async function lockedBy(change: () => Promise<unknown>): Promise<string[]> {
  const executed = jest.spyOn(spec.unitOfWork, 'execute');
  await change();
  const statements = executed.mock.calls.map(([statement]) => statement);
  executed.mockRestore();
  return statements.flatMap((statement) =>
    statement === KEEP_CATEGORY ? ['category'] : statement === LOCK_SETS ? ['set'] : [],
  );
}

/** The removal of a category locks so, and one of the two would be ended where the other does not. */
test('what clients write and take back locks a category before its set', async () => {
  await addCategory('mine');
  await addCategory('other');
  const first = ['category', 'set'];
  let featureId = '';
  const added = await lockedBy(async () => (featureId = await addFeature()));
  expect(added.slice(0, 2)).toEqual(first);
  const update = (): Promise<void> => services.editing.update({ ...asked(), featureId, category: 'other' });
  expect((await lockedBy(update)).slice(0, 2)).toEqual(first);
  const undo = (): Promise<void> => services.history.undo({ ...asked(), featureId });
  expect((await lockedBy(undo)).slice(0, 2)).toEqual(first);
});
