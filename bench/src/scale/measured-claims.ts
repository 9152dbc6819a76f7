import { setTimeout as sleep } from 'node:timers/promises';
import { type ScaledProduct } from './scaled-product.js';
import { type StatementCost } from './statement-costs.js';

const ORGANIZATIONS = 1_000;
const SECONDS = 20;
const CLAIM = 'ingestion_claim';

/** Lets workers claim sets that are due and hold nothing, so that claiming is all that they do. */
export async function measureClaims(
  product: ScaledProduct,
  sets: number,
): Promise<StatementCost | undefined> {
  await product.learn();
  const statements = await product.statements.during(async () => {
    await product.database.query(
      `WITH opened AS (
         INSERT INTO semantic.projects (uid, org_id, project_id)
         SELECT md5(n::text)::uuid, 'due ' || n, 'due' FROM generate_series(0, $2::int - 1) AS n),
       made AS (
         INSERT INTO semantic.sets (uid, org_id, project_uid, id, kind, tags, tag_values)
         SELECT gen_random_uuid(), 'due ' || n % $2, md5((n % $2)::text)::uuid, 'due ' || n, 'other_set', '{}', '{}'
         FROM generate_series(1, $1::int) AS n RETURNING uid, org_id, project_uid)
       INSERT INTO semantic.ingestion_jobs (set_uid, org_id, project_uid, state, ordered_at, run_after)
       SELECT uid, org_id, project_uid, 'due', now(), now() - interval '1 hour' FROM made`,
      [sets, ORGANIZATIONS],
    );
    await product.database.query('ANALYZE semantic.ingestion_jobs');
    await sleep(SECONDS * 1_000);
  });
  return statements.find(({ statement }) => statement === CLAIM);
}
