import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dueReembeddings, dueReembeddingsOf, embeddersOfOwners } from '@loci/indexing';
import { ROWS_OF_ALL } from '@loci/persistence';
import { rowsRead } from '../../test/rows-read.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { FeatureTable } from '../indexing/feature-table.js';

const SETS = 5_000;

let spec: SemanticSpec;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  await spec.unitOfWork.single(async (manager) => {
    const query = (text: string, values?: unknown[]): Promise<unknown> => manager.query(text, values);
    await query(
      `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id)
       SELECT gen_random_uuid(), 'acme', n::text FROM generate_series(1, $1::int) AS n`,
      [SETS],
    );
    await query(
      `INSERT INTO ${SCHEMA}.sets (uid, id, kind, org_id, project_uid, tags, tag_values)
       SELECT gen_random_uuid(), 'set ' || project_id, 'project_set', org_id, uid, '{}', '{}' FROM ${SCHEMA}.projects`,
    );
    await query(`INSERT INTO ${SCHEMA}.index_collections (fingerprint, dimensions) VALUES ('spec', 4)`);
    await query(
      `INSERT INTO ${SCHEMA}.index_spaces (uid, owner_uid, fingerprint, dimensions, embedder, state)
       SELECT gen_random_uuid(), uid, 'spec', 4, 'spec', 'active' FROM ${SCHEMA}.sets`,
    );
    for (const table of ['projects', 'sets', 'index_spaces']) await query(`ANALYZE ${SCHEMA}.${table}`);
  }, ROWS_OF_ALL);
});

afterAll(() => spec.close());

test('a look for re-embeddings that are due reads as many owners as it is told to, however many there are', async () => {
  const { text } = dueReembeddings(new FeatureTable());
  const models = JSON.stringify([{ embedder: 'spec', fingerprint: 'spec', dimensions: 4 }]);
  const first = '00000000-0000-0000-0000-000000000000';
  const read = await rowsRead(spec.unitOfWork, text, [models, 'spec', first, 100], ROWS_OF_ALL);
  // each is read as an index version, as a set and as a project
  expect(read).toBeGreaterThanOrEqual(3 * 100);
  expect(read).toBeLessThan(5 * 100);
});

test('a look at owners that chose anew reads these alone', async () => {
  const [table, count] = [new FeatureTable(), 10];
  const uids = await spec.unitOfWork.single(
    (manager) =>
      manager.query<{ uid: string }[]>(`SELECT uid FROM ${SCHEMA}.sets ORDER BY random() LIMIT $1`, [count]),
    ROWS_OF_ALL,
  );
  const owners = uids.map(({ uid }) => uid);
  const models = JSON.stringify([{ embedder: 'spec', fingerprint: 'spec', dimensions: 4 }]);
  const chosen = await rowsRead(spec.unitOfWork, embeddersOfOwners(table).text, [owners], ROWS_OF_ALL);
  const due = await rowsRead(
    spec.unitOfWork,
    dueReembeddingsOf(table).text,
    [models, 'spec', owners],
    ROWS_OF_ALL,
  );
  expect(Math.min(chosen, due)).toBeGreaterThanOrEqual(2 * count);
  expect(Math.max(chosen, due)).toBeLessThan(8 * count);
});
