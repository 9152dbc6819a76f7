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
      `WITH made AS (INSERT INTO semantic.sets (uid) SELECT gen_random_uuid() FROM generate_series(1, $1::int) RETURNING uid)
       INSERT INTO semantic.ingestion_jobs (set_uid, org_id, project_uid, state, ordered_at, run_after)
       SELECT uid, 'due ' || n % $2, md5((n % $2)::text)::uuid, 'due', now(), now() - interval '1 hour'
       FROM (SELECT uid, row_number() OVER () AS n FROM made) AS numbered`,
      [sets, ORGANIZATIONS],
    );
    await product.database.query('ANALYZE semantic.ingestion_jobs');
    await sleep(SECONDS * 1_000);
  });
  return statements.find(({ statement }) => statement === CLAIM);
}
