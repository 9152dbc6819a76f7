import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { rowsRead } from '../../../test/rows-read.js';
import { SemanticSpec } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { FEATURE_GROUPS } from '../../features/feature-groups.sql.js';
import { LOOKED_AT } from '../../features/recent-of-subjects.js';
import { type Scope } from '../../projects/project.js';
import { rowsIn } from '../../projects/row-scope.js';
import { RECENT_FEATURES } from '../../search/recent-features.sql.js';
import { toSet } from '../../sets/set.js';

const KNOWN = 20_000;
const PROJECT = uuidv7();
const TENANT = { orgId: 'acme', projectId: 'support' };
const SCOPE: Scope = { orgId: 'acme', projectUid: PROJECT, organization: 'none' };
const SET = toSet({ tenant: TENANT, isOrgLevel: false, tags: {} }, PROJECT);
const CATEGORIES = ['profile', 'work'];

let spec: SemanticSpec;

/** Half of what is known is of one user, half of none; most of it has ended. */
beforeAll(async () => {
  spec = await SemanticSpec.create();
  await spec.projects.open({ tenant: TENANT, projectUid: PROJECT });
  await spec.sets.register([SET]);
  await spec.unitOfWork.single(async (manager) => {
    await manager.query(
      `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client, valid_until)
       SELECT gen_random_uuid(), $1, 'acme', $2, CASE WHEN fact % 2 = 0 THEN 'ada' END, 'profile', 'tag', fact, fact, '{}', false,
              CASE WHEN fact % 5 > 0 THEN now() END
       FROM generate_series(1, $3::int) AS fact`,
      [SET.uid, PROJECT, 2 * KNOWN],
    );
    for (const table of ['features', 'sets']) await manager.query(`ANALYZE ${SCHEMA}.${table}`);
  }, rowsIn(SCOPE));
});

afterAll(() => spec.close());

const readBy = (statement: string, values: readonly unknown[]): Promise<number> =>
  rowsRead(spec.unitOfWork, statement, values, rowsIn(SCOPE), 'features');

test.each([['ada'], [null]])(
  'what is to be consolidated of a subject (%s) is found without reading all that is known of it',
  async (subject) => {
    expect(await readBy(FEATURE_GROUPS.text, [SET.uid, CATEGORIES, [subject]])).toBeLessThan(2 * LOOKED_AT);
    const recent = [SET.uid, CATEGORIES, true, null, [subject], 20];
    expect(await readBy(RECENT_FEATURES.text, recent)).toBeLessThan(2 * LOOKED_AT);
  },
);
