import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type ScaledProduct } from './scaled-product.js';
import { type StatementCost } from './statement-costs.js';

/** What the product does while nothing is asked: its periodic tasks, and answers to Prometheus. */
export interface QuietNight {
  readonly seconds: number;
  /** The slowest first. */
  readonly statements: readonly StatementCost[];
  /** Rows of episodes that were read in PostgreSQL, and pages of points that were asked of Qdrant. */
  readonly rowsRead: number;
  readonly scrolls: number;
}

const SECONDS = 90;
const SCRAPE_EVERY_MS = 15_000;

export async function watchQuietNight(product: ScaledProduct): Promise<QuietNight> {
  const [rowsBefore, scrollsBefore] = [await rowsReadOf(product.database), await scrollsOf(product)];
  const statements = await product.statements.during(async () => {
    for (let waited = 0; waited < SECONDS * 1_000; waited += SCRAPE_EVERY_MS) {
      await scrapeAll(product);
      await sleep(SCRAPE_EVERY_MS);
    }
  });
  const rowsRead = (await rowsReadOf(product.database)) - rowsBefore;
  return { seconds: SECONDS, statements, rowsRead, scrolls: (await scrollsOf(product)) - scrollsBefore };
}

const SERVICES = [
  'config-service',
  'episodic-api',
  'episodic-worker',
  'semantic-api',
  'semantic-worker',
] as const;

async function scrapeAll({ loci }: ScaledProduct): Promise<void> {
  for (const name of SERVICES) {
    const { ports } = await loci.process(name);
    await (await fetch(`http://127.0.0.1:${String(Object.values(ports)[0])}/metrics`)).text();
  }
}

async function rowsReadOf(database: pg.Pool): Promise<number> {
  const { rows } = await database.query<{ read: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::float8 AS read FROM pg_stat_user_tables
     WHERE schemaname = 'episodic' AND relname = 'episodes'`,
  );
  return rows[0]?.read ?? 0;
}

async function scrollsOf({ loci }: ScaledProduct): Promise<number> {
  const { url, apiKey } = await loci.qdrant();
  const metrics = await (await fetch(`${url}/metrics`, { headers: { 'api-key': apiKey } })).text();
  const counts = [...metrics.matchAll(/^rest_responses_total\{[^}]*\/points\/scroll[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
