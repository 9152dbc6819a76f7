import { Fleet, type FleetOptions } from '@loci/testing';
import pg from 'pg';
import { ALL_PROCESSES } from '../processes.js';

export type Say = (line: string) => void;

/** @returns which promises were broken, in sentences */
export type Drill = (say: Say) => Promise<string[]>;

/** Every process of Loci, one of each, while `use` runs. */
export async function withFleet<T>(
  options: Omit<FleetOptions, 'table'>,
  use: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const fleet = await Fleet.start({ table: ALL_PROCESSES, replicas: () => 1, ...options });
  try {
    return await use(fleet);
  } finally {
    await fleet.destroy();
  }
}

/** What a query counts, of all tenants. */
export async function countIn({ servers }: Fleet, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: servers.databaseUrl, options: '-c loci.scope=*' });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(sql);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

export const EPISODES = 'SELECT count(*) FROM episodic.episodes';
export const UNINDEXED =
  'SELECT count(*) FROM episodic.episodes WHERE indexed_at IS NULL AND in_long_term AND deleted_at IS NULL';

/** The vectors of episodes that Qdrant has. */
export async function pointsIn({ servers }: Fleet): Promise<number> {
  const ask = async <Result>(path: string): Promise<Result> => {
    const answer = await fetch(`${servers.qdrantUrl}${path}`, {
      headers: { 'api-key': servers.qdrantApiKey ?? '' },
    });
    return ((await answer.json()) as { result: Result }).result;
  };
  const { collections } = await ask<{ collections: { name: string }[] }>('/collections');
  const counts = collections
    .filter(({ name }) => name.startsWith('episodes_'))
    .map(({ name }) => ask<{ points_count: number }>(`/collections/${name}`));
  return (await Promise.all(counts)).reduce((sum, { points_count }) => sum + points_count, 0);
}

/** @returns how long something took, in seconds with a digit */
export async function timed(work: () => Promise<unknown>): Promise<string> {
  const begunMs = performance.now();
  await work();
  return `${((performance.now() - begunMs) / 1_000).toFixed(1)} s`;
}
