import { eventually, type Loci } from '@loci/testing';
import pg from 'pg';

/** Does something by SQL, behind the product's back. */
export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As `withDatabase`, with the rows of all tenants in sight. */
export const withAllRows = async <T>(loci: Loci, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withDatabase(await loci.databaseUrlOf('migrate'), async (client) => {
    await client.query(`SET loci.scope = '*'`);
    return work(client);
  });

/**
 * Locks a table against writes, runs `meanwhile` once a write waits for the lock, and unlocks the table.
 * @param start makes a process write to it
 */
export async function whileWritesWait(
  loci: Loci,
  table: string,
  { start, meanwhile }: { start: () => Promise<unknown>; meanwhile: () => Promise<unknown> },
): Promise<void> {
  await withDatabase(await loci.databaseUrlOf('migrate'), async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    await start();
    const isAwaited = async (): Promise<boolean> => {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted`,
        [table],
      );
      return (rowCount ?? 0) > 0;
    };
    await eventually(isAwaited, { what: `a write to ${table} waits` });
    await meanwhile();
  });
}
