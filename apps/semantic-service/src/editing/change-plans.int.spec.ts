import { beforeEach, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { useFreshSets } from '../../test/fresh-sets.js';
import { rowsRead } from '../../test/rows-read.js';
import { type SpecServices } from '../../test/semantic-services.js';
import { type SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { EPISODES_OF_HISTORY } from '../erasure/episodes-of-history.sql.js';
import { historyOfChanges } from '../features/history-of-changes.sql.js';
import { listSetChanges } from '../features/list-set-changes.sql.js';
import { type OpenProject, type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { type MemorySet } from '../sets/set.js';

const CHANGES = 5_000;
const PAGE = 20;

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, services, project, set } = fresh);
});

const scope = (): Scope => ({
  orgId: project.tenant.orgId,
  projectUid: project.uid,
  organization: 'change',
});

const uidOf = (change: number): string =>
  `${String(change).padStart(8, '0')}-0000-7000-8000-${'0'.repeat(12)}`;

/** The changes of a set, each of so many features, the last one newest. */
async function change(to: MemorySet, changes: number, features: number): Promise<void> {
  await spec.query(
    `INSERT INTO ${SCHEMA}.feature_history (uid, feature_uid, set_uid, org_id, project_uid, action, origin, episodes, change_uid)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, $3, 'add', 'client', '{}',
       (lpad(change::text, 8, '0') || '-0000-7000-8000-000000000000')::uuid
     FROM generate_series(1, $4::int) AS change, generate_series(1, $5::int)`,
    [to.uid, to.orgId, to.projectUid, changes, features],
  );
  await spec.query(`VACUUM ANALYZE ${SCHEMA}.feature_history`);
}

beforeEach(() => change(set, CHANGES, 2));

test('a change is found without all that happened in its set', async () => {
  const values = [scope().orgId, project.uid, set.uid, [uidOf(CHANGES / 2)], 1_000_000];
  const { text } = historyOfChanges(scope());
  expect(await rowsRead(spec.unitOfWork, text, values, rowsIn(scope()))).toBe(2);
});

test('a page of changes reads what belongs to these, also far back behind a change', async () => {
  const asked = [scope().orgId, project.uid, set.uid, PAGE, 0, 1_000_000];
  const read = (text: string, values: readonly unknown[]) =>
    rowsRead(spec.unitOfWork, text, values, rowsIn(scope()));
  expect(await read(listSetChanges(scope(), false).text, asked)).toBeLessThan(6 * PAGE);
  const behind = uidOf(CHANGES / 2);
  expect(await read(listSetChanges(scope(), true).text, [...asked, behind])).toBeLessThan(6 * PAGE);
  const page = { setId: set.id, pageSize: 2, pageNum: 1, behind };
  const { changes, total } = await services.history.changes({
    ...{ tenant: project.tenant, organization: 'change' },
    ...page,
  });
  const uids = [3, 4].map((before) => uidOf(CHANGES / 2 - before));
  expect([changes.map(({ uid }) => uid), total]).toEqual([uids, undefined]);
});

test('the erasure of a project goes on in the history of a set where it was', async () => {
  const shared = await spec.newSet(project, { isOrgLevel: true });
  await change(shared, CHANGES, 2);
  const values = [project.uid, shared.uid, uidOf(CHANGES / 2), PAGE];
  const read = await rowsRead(spec.unitOfWork, EPISODES_OF_HISTORY.text, values, ROWS_OF_ALL);
  expect(read).toBeLessThan(10 * PAGE);
});

test('a page of changes of too many features is refused before it is read, and fewer of them are not', async () => {
  const large = await spec.newSet(project, { tags: { user: 'ada' } });
  await change(large, 3, 60_000);
  const asked = { tenant: project.tenant, organization: 'change' as const, setId: large.id, pageNum: 0 };
  await expect(services.history.changes({ ...asked, pageSize: 3 })).rejects.toMatchObject({
    code: 'body_too_large',
    message: expect.stringContaining('a page_size of 1 or less') as unknown,
  });
  const { changes } = await services.history.changes({ ...asked, pageSize: 1 });
  expect(changes.map(({ features }) => features.length)).toEqual([60_000]);
});
