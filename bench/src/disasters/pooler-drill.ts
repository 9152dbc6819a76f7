import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers } from '@loci/runtime';
import { Loci, PgBouncer } from '@loci/testing';
import pg from 'pg';
import { quantile } from '../retrieval/metrics.js';
import { type Drill } from './drill.js';
import { Traffic } from './traffic.js';

const CONNECTIONS = 20;
const CLIENTS = 40;
const SECONDS = 20;

/**
 * All processes share twenty connections to PostgreSQL, while forty organizations add and search: by a pooler where there is one,
 * else by pools as small as that takes, in a database that refuses a twenty-first.
 */
export const poolerDrill: Drill = async (say) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-pooler-'));
  const postgres = await startServers({ dataDir, durability: 'durable', only: ['postgres'] });
  const { databaseUrl } = postgres;
  const pooler = PgBouncer.isThere() ? await PgBouncer.start(databaseUrl, CONNECTIONS) : undefined;
  if (!pooler) await limitConnections(databaseUrl);
  say(
    pooler
      ? 'behind PgBouncer, by transaction'
      : 'PgBouncer 1.21 or newer is not there (apt-get install pgbouncer, or the variable PGBOUNCER): small pools instead',
  );
  const loci = await Loci.start({
    env: pooler
      ? { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl }
      : { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: SMALL_POOL, KEY_LOOKUP_POOL_SIZE: '1' },
    sweeps: 'as delivered',
  });
  try {
    const traffic = new Traffic(() => loci.url, CLIENTS, CLIENTS);
    await sleep(SECONDS * 1_000);
    await traffic.stop();
    const { answers, failures, tookMs } = traffic;
    say(
      `${CLIENTS} clients over ${CONNECTIONS} connections for ${SECONDS} s: ${[...answers].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    );
    say(`p50 ${quantile(tookMs, 0.5).toFixed(0)} ms, p99 ${quantile(tookMs, 0.99).toFixed(0)} ms`);
    return failures > 0 ? [`${failures} of ${tookMs.length} requests failed`] : [];
  } finally {
    await loci.destroy();
    await pooler?.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Of each of the five processes, which have up to two connections more; together they stay below the limit. */
const SMALL_POOL = '2';

async function limitConnections(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`ALTER DATABASE loci CONNECTION LIMIT ${CONNECTIONS}`);
  await client.end();
}
