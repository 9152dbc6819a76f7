import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OrganizationAccess, type SemanticPart } from '@loci/contracts';
import { ROWS_OF_ALL } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { rowsRead } from '../../test/rows-read.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { held } from '../features/held-features.js';
import { type OpenProject, type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { nextParts } from './next-parts.sql.js';

/** Of each kind that each project has, and the organization. */
const ROWS = 5_000;
const PAGE = 100;
const MIDDLE = '2024-01-01T01:00:00.000000Z';

let spec: SemanticSpec;
let project: OpenProject;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  project = await spec.newProject();
  for (const owner of [project, await spec.newProject()]) await fill(owner, { isOrgLevel: false });
  await fill(project, { isOrgLevel: true });
});

afterAll(() => spec.close());

async function fill(owner: OpenProject, options: { readonly isOrgLevel: boolean }): Promise<void> {
  const { uid, orgId, projectUid = null } = await spec.newSet(owner, options);
  const rows = `generate_series(1, ${ROWS}) AS n ORDER BY random()`;
  const at = `'2024-01-01T00:00:00Z'::timestamptz + make_interval(secs => n)`;
  await spec.unitOfWork.single(async (manager) => {
    await manager.query(
      `INSERT INTO ${SCHEMA}.sets (uid, org_id, project_uid, id, kind, tags, tag_values, llm_name, created_at)
       SELECT gen_random_uuid(), $1, $2::uuid, coalesce($2::text, '') || n, 'other_set', '{n}', jsonb_build_object('n', n::text), 'spec', ${at}
       FROM ${rows}`,
      [orgId, projectUid],
    );
    await manager.query(
      `INSERT INTO ${SCHEMA}.categories (uid, org_id, project_uid, set_uid, name, prompt, created_at)
       SELECT gen_random_uuid(), $1, $2, $3, 'category ' || n, 'prompt', ${at} FROM ${rows}`,
      [orgId, projectUid, uid],
    );
    await manager.query(
      `INSERT INTO ${SCHEMA}.features
         (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client, created_at)
       SELECT gen_random_uuid(), $3, $1, $2, 'profile', 'tag', 'name ' || n, 'value', '{}', true, ${at} FROM ${rows}`,
      [orgId, projectUid, uid],
    );
    for (const table of Object.values(TABLES)) await manager.query(`ANALYZE ${SCHEMA}.${table}`);
  }, ROWS_OF_ALL);
}

const TABLES = { sets: 'sets', categories: 'categories', features: 'features' } as const;

const READ = Object.entries(TABLES).flatMap(([part, table]) =>
  (['none', 'read'] as const).flatMap((organization) =>
    [false, true].map((goesOn) => ({ part: part as SemanticPart, table, organization, goesOn })),
  ),
);

test.each(READ)(
  'a page of $part is read without the others, with the rights "$organization", behind some: $goesOn',
  async ({ part, table, organization, goesOn }) => {
    const scope = scopeOf(organization);
    const values = [scope.orgId, scope.projectUid, PAGE, 1_000_000, ...(goesOn ? [MIDDLE, uuidv7()] : [])];
    const features = held({ validity: 'all' }, values.length + 1);
    const { text } = nextParts(scope, part, { features, goesOn });
    const read = await rowsRead(spec.unitOfWork, text, values, rowsIn(scope), table);
    expect(read).toBeGreaterThanOrEqual(PAGE);
    expect(read).toBeLessThan(5 * PAGE);
  },
);

const scopeOf = (organization: OrganizationAccess): Scope => ({
  ...{ orgId: project.tenant.orgId, projectUid: project.uid, organization },
});
