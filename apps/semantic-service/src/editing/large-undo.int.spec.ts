import { expect, jest, test } from '@jest/globals';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { type FeatureChange } from '../features/feature-change.js';
import { byClient } from '../features/feature-origins.js';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';

const NAMES = ['one', 'two', 'three'];

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

const asked = () => ({ tenant: project.tenant, organization: 'change' as const });

const named = (kind: 'add' | 'update', name: string, value: string): FeatureChange => ({
  ...(specAdd(value, specCitation(project.uid)) as Extract<FeatureChange, { kind: 'add' }>),
  kind,
  name,
});

/** Gives each of the names the value, as one change of a client. @returns the uid of the change */
async function said(kind: 'add' | 'update', value: string, names = NAMES): Promise<string> {
  await spec.apply(
    set,
    'profile',
    names.map((name) => named(kind, name, value)),
    byClient(),
  );
  const [row] = await spec.query<{ uid: string }>(
    `SELECT change_uid AS uid FROM ${SCHEMA}.feature_history WHERE set_uid = $1 ORDER BY uid DESC LIMIT 1`,
    [set.uid],
  );
  return row?.uid ?? '';
}

/** Lets what features were before a change have so many bytes each. */
const inflate = (changeUid: string, bytes: number, names: readonly string[]): Promise<object[]> =>
  spec.query(
    `UPDATE ${SCHEMA}.feature_history
     SET before = before || jsonb_build_object('metadata', jsonb_build_object('note', repeat('x', $3::int)))
     WHERE set_uid = $1 AND change_uid = $2 AND before ->> 'name' = ANY($4::text[])`,
    [set.uid, changeUid, bytes, names],
  );

async function uidOf(name: string): Promise<string> {
  const now = await spec.known(set, 'current');
  return now.find((feature) => feature.name === name)?.uid ?? '';
}

const shown = async (): Promise<Record<string, string>> => {
  const now = await spec.known(set, 'current');
  return Object.fromEntries(now.map(({ name, value }) => [name, value]));
};

test('a change that is too large to be undone at once is refused whole, and single features of it go back', async () => {
  await said('add', 'before');
  const changeId = await said('update', 'after');
  await inflate(changeId, 30_000_000, ['two', 'three']);
  const undo = services.history.undoChanges({ ...asked(), setId: set.id, changeIds: [changeId] });
  await expect(undo).rejects.toMatchObject({ kind: 'too_large', code: 'body_too_large' });
  expect(await shown()).toEqual({ one: 'after', two: 'after', three: 'after' });
  await services.history.undo({ ...asked(), featureId: await uidOf('one'), changeId });
  expect(await shown()).toEqual({ one: 'before', two: 'after', three: 'after' });
});

test('what happened since is read without all that was cited then', async () => {
  await said('add', 'first', ['one']);
  const changeId = await said('update', 'second', ['one']);
  for (const value of ['third', 'fourth']) {
    await inflate(await said('update', value, ['one']), 2_000_000, ['one']);
  }
  const execute = jest.spyOn(spec.unitOfWork, 'execute');
  await services.history.undo({ ...asked(), featureId: await uidOf('one'), changeId });
  const results = await Promise.all(execute.mock.results.map(({ value }) => value as Promise<unknown>));
  jest.restoreAllMocks();
  expect(await shown()).toEqual({ one: 'first' });
  expect(JSON.stringify(results).length).toBeLessThan(100_000);
});
