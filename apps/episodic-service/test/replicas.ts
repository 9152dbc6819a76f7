import { afterAll, beforeAll } from '@jest/globals';
import { TestDatabase } from '@loci/testing';
import { migrate, Replica } from './replica.js';

/** What all tests of a file share. */
export interface Opened {
  /** As the migrations leave it. */
  readonly database: TestDatabase;
  /** One more replica of the service, closed after the tests. */
  readonly openReplica: () => Promise<Replica>;
}

/**
 * Gives the tests of a file a database of their own. To be called outside of the tests.
 * @param use told before the first test
 */
export function useReplicas(use: (opened: Opened) => void | Promise<void>): void {
  const replicas: Replica[] = [];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await TestDatabase.create();
    await migrate(database.url);
    const openReplica = async (): Promise<Replica> => {
      const replica = await Replica.open(database.url);
      replicas.push(replica);
      return replica;
    };
    await use({ database, openReplica });
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await database.drop();
  });
}
