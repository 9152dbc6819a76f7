import { eventually } from '@loci/testing';
import type pg from 'pg';
import { ORGANIZATION } from './scale.js';
import { type ScaledProduct } from './scaled-product.js';
import { atATime, request } from './timed-requests.js';

/** What an add of one message of 115 characters leaves in PostgreSQL, in bytes, indexes included. */
export interface AddedBytes {
  /** In all tables together. */
  readonly all: number;
  /** In the table of episodes: the row itself, and its indexes. */
  readonly row: number;
  readonly indexes: number;
  /** By table, the largest first. */
  readonly tables: Readonly<Record<string, number>>;
}

const ADDS = 3_000;
const LANES = 32;
const CHARACTERS = 115;

/** Adds to many projects, waits until everything that follows from it is done, and looks how much the tables have grown. */
export async function measureAddedBytes(product: ScaledProduct, projects: number): Promise<AddedBytes> {
  const { database, loci } = product;
  const before = await sizesOf(database);
  await atATime(LANES, ADDS, (n) =>
    request('POST', `${loci.url}/api/v2/memories`, {
      org_id: ORGANIZATION,
      project_id: String(n % projects),
      messages: [{ content: `Added note ${n}. `.padEnd(CHARACTERS, 'The train to the market left early. ') }],
    }),
  );
  await eventually(() => isSettled(database), { what: 'what was added is indexed', timeoutMs: 600_000 });
  const after = await sizesOf(database);
  const grown = (name: string, part: keyof Size): number =>
    ((after.get(name)?.[part] ?? 0) - (before.get(name)?.[part] ?? 0)) / ADDS;
  const tables = [...after.keys()]
    .map((name) => [name, Math.round(grown(name, 'all'))] as const)
    .filter(([, bytes]) => bytes > 0)
    .sort(([, a], [, b]) => b - a);
  const row = grown(EPISODES, 'table');
  return {
    all: tables.reduce((sum, [, bytes]) => sum + bytes, 0),
    row: Math.round(row),
    indexes: Math.round(grown(EPISODES, 'all') - row),
    tables: Object.fromEntries(tables),
  };
}

const EPISODES = 'episodic.episodes';

/** What waits for its vector is counted by the product: looking at all episodes takes seconds at ten million. */
async function isSettled(database: pg.Pool): Promise<boolean> {
  const { rows } = await database.query<{ rest: boolean }>(
    `SELECT (SELECT coalesce(sum(items), 0) > 0 FROM episodic.index_backlog)
         OR EXISTS (SELECT 1 FROM episodic.outbox WHERE sent_at IS NULL) AS rest`,
  );
  return rows[0]?.rest === false;
}

interface Size {
  readonly table: number;
  readonly all: number;
}

/** Partitions count as their table. What was sent goes away by itself, and does not count. */
async function sizesOf(database: pg.Pool): Promise<Map<string, Size>> {
  const { rows } = await database.query<Size & { readonly name: string }>(
    `SELECT coalesce(i.inhparent::regclass, c.oid::regclass)::text AS name, sum(pg_relation_size(c.oid))::float8 AS table,
            sum(pg_total_relation_size(c.oid))::float8 AS all
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND n.nspname IN ('config', 'episodic', 'semantic') AND c.relname NOT LIKE 'outbox%'
     GROUP BY 1`,
  );
  return new Map(rows.map(({ name, table, all }) => [name, { table, all }]));
}
