import { type Database } from '@loci/persistence';
import { type PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

interface Client {
  query: (...given: unknown[]) => unknown;
}

/** The pool of connections, as the driver has it. */
interface Pool {
  on(event: 'acquire', listener: (client: Client) => void): void;
  off(event: 'acquire', listener: (client: Client) => void): void;
}

/** What wakes the relays behind the work, a moment later. */
const isWakeUp = (given: unknown): boolean => JSON.stringify(given).includes('pg_notify');

/** How many statements reach the server during some work; those that begin and end transactions are among them. */
export async function countStatements(
  { dataSource }: Database,
  work: () => Promise<unknown>,
): Promise<number> {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  const restored = new Map<Client, () => void>();
  let statements = 0;
  const watch = (client: Client): void => {
    // one connection may be acquired for each statement
    if (restored.has(client)) return;
    const { query } = client;
    client.query = (...given) => {
      if (!isWakeUp(given)) statements += 1;
      return query.apply(client, given);
    };
    restored.set(client, () => (client.query = query));
  };
  pool.on('acquire', watch);
  try {
    await work();
    return statements;
  } finally {
    pool.off('acquire', watch);
    for (const restore of restored.values()) restore();
  }
}
