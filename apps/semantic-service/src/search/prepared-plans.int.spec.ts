import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { entityManager, type SqlStatement } from '@loci/persistence';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { countListedFeatures } from '../features/count-listed-features.sql.js';
import { listFeatures } from '../features/list-features.sql.js';
import { readable } from '../features/readable-features.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { type MemorySet } from '../sets/set.js';
import { SEARCHED_SETS } from './searched-sets.sql.js';

/** From the sixth time on PostgreSQL has the choice. */
const TIMES = 10;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  project = await spec.newProject();
  set = await spec.newSet(project);
});

afterAll(() => spec.close());

/** How often PostgreSQL made a plan for one execution alone, of all on a connection. */
const plansMade = (statement: SqlStatement, values: readonly unknown[]): Promise<number> =>
  spec.unitOfWork.run(
    async (tx) => {
      for (let time = 0; time < TIMES; time += 1) await spec.unitOfWork.execute(statement, values, { tx });
      const [made] = await entityManager(tx).query<{ custom_plans: string }[]>(
        'SELECT custom_plans FROM pg_prepared_statements WHERE name = $1',
        [statement.name],
      );
      return Number(made?.custom_plans);
    },
    { scope: rowsIn(fullScope(set)) },
  );

test('what every search and list asks is not planned each time', async () => {
  const { uid, tenant } = project;
  // of the project, of its organization and of a user
  const sets = [set.uid, set.uid, set.uid];
  const listed = readable(fullScope(set), {}, 5);
  const counted = readable(fullScope(set), {}, 2);
  expect({
    searched: await plansMade(SEARCHED_SETS, [tenant.orgId, uid, tenant.projectId, sets]),
    listed: await plansMade(listFeatures(listed, false, 'list'), [sets, 50, 0, 1_000, ...listed.parameters]),
    counted: await plansMade(countListedFeatures(counted, 'count'), [sets, ...counted.parameters]),
  }).toEqual({ searched: 5, listed: 5, counted: 5 });
});
