import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { rowsRead } from '../../test/rows-read.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { toSet } from '../sets/set.js';
import { DROP_TOMBSTONES } from './drop-tombstones.sql.js';

const TENANT = { orgId: 'acme', projectId: 'support' };
const FEATURES = 500;
const DROPPED = 10;

let spec: SemanticSpec;

beforeAll(async () => {
  spec = await SemanticSpec.create();
});

afterAll(() => spec.close());

test('tombstones are found by their uids, though PostgreSQL takes the table to have none', async () => {
  const projectUid = uuidv7();
  await spec.projects.open({ tenant: TENANT, projectUid });
  const set = toSet({ tenant: TENANT, isOrgLevel: false, tags: {} }, projectUid);
  await spec.sets.register([set]);
  const query = (text: string, values: readonly unknown[] = []): Promise<unknown> =>
    spec.unitOfWork.single((manager) => manager.query(text, [...values]), ROWS_OF_ALL);
  await query(`ALTER TABLE ${SCHEMA}.features SET (autovacuum_enabled = false)`);
  await query(
    `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client)
     SELECT md5(n::text)::uuid, $1, 'acme', $2, 'profile', 'tag', n, n, '{}', false FROM generate_series(1, ${FEATURES}) AS n`,
    [set.uid, projectUid],
  );
  await query(`ANALYZE ${SCHEMA}.features`);
  await query(`UPDATE ${SCHEMA}.features SET deleted_at = now()`);
  const uids = await spec.unitOfWork.single<{ uid: string }[]>(
    (manager) => manager.query(`SELECT uid FROM ${SCHEMA}.features LIMIT ${DROPPED}`),
    ROWS_OF_ALL,
  );
  const values = [set.uid, uids.map(({ uid }) => uid)];
  const read = await rowsRead(spec.unitOfWork, DROP_TOMBSTONES.text, values, ROWS_OF_ALL);
  expect(read).toBe(DROPPED);
});
