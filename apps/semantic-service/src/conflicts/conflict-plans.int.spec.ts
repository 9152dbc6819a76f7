import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { rowsRead } from '../../test/rows-read.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { featuresByUid } from '../features/features-by-uid.sql.js';
import { readable } from '../features/readable-features.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { toSet } from '../sets/set.js';
import { ConflictsRepository } from './conflicts.repository.js';
import { listConflicts } from './list-conflicts.sql.js';

/** Of one name. */
const FEATURES = 5_000;
const PAGE = 100;

const PROJECT = uuidv7();
const TENANT = { orgId: 'acme', projectId: 'main' };
const SCOPE: Scope = { orgId: 'acme', projectUid: PROJECT, organization: 'none' };
const { uid: SET_UID, ...SET } = toSet({ tenant: TENANT, isOrgLevel: false, tags: {} }, PROJECT);

let spec: SemanticSpec;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  await spec.projects.open({ tenant: TENANT, projectUid: PROJECT });
  await spec.sets.register([{ ...SET, uid: SET_UID }]);
  await spec.unitOfWork.single(async (manager) => {
    for (const [name, subject, isSingleValued] of KINDS) {
      await manager.query(
        `INSERT INTO ${SCHEMA}.features
           (uid, set_uid, org_id, project_uid, subject, category, tag, name, value, metadata, by_client, is_single_valued)
         SELECT md5($3 || fact)::uuid, $1, 'acme', $2, $4, 'profile', 'tag', $3, 'value ' || fact, '{}', false, $5
         FROM generate_series(1, ${FEATURES}) AS fact`,
        [SET_UID, PROJECT, name, subject, isSingleValued],
      );
    }
    await manager.query(`ANALYZE ${SCHEMA}.features`);
  }, rowsIn(SCOPE));
});

afterAll(() => spec.close());

const KINDS = [
  ['hobby', 'ada', null],
  ['topic', null, null],
  ['home', 'ada', true],
  ['capital', null, true],
] as const;

const uidsOf = async (name: string): Promise<string[]> => {
  const rows = await spec.query<{ uid: string }>(
    `SELECT uid FROM ${SCHEMA}.features WHERE name = $1 LIMIT ${PAGE}`,
    [name],
  );
  return rows.map(({ uid }) => uid);
};

test.each(KINDS.map(([name]) => name))(
  'a page of features named %s is read without all others of this name',
  async (name) => {
    const matches = readable(SCOPE, {}, 6);
    const values = [SET_UID, await uidsOf(name), 1_000_000, null, null, ...matches.parameters];
    const statement = featuresByUid(matches, undefined);
    expect(await rowsRead(spec.unitOfWork, statement.text, values, rowsIn(SCOPE))).toBeLessThan(60 * PAGE);
  },
);

test('conflicts are listed by comparing what each feature says once', async () => {
  const values = ['acme', PROJECT, null, null, 10, 0];
  const read = await rowsRead(spec.unitOfWork, listConflicts(SCOPE).text, values, rowsIn(SCOPE));
  expect(read).toBeLessThan(20 * FEATURES);
  const page = { setUid: undefined, subject: undefined, offset: 0, limit: 10 };
  const { conflicts, total } = await new ConflictsRepository(spec.unitOfWork).list(SCOPE, page);
  expect([total, conflicts.map(([feature]) => feature?.name).sort()]).toEqual([2, ['capital', 'home']]);
});
