import { replaceIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const indexWhere = (runner: QueryRunner, condition: string): Promise<void> =>
  replaceIndex(runner, {
    schema: SCHEMA,
    table: 'ingestion_messages',
    name: 'ingestion_messages_oldest',
    definition: `(received_at) WHERE ${condition}`,
  });

/**
 * The index that finds the oldest waiting message serves that question alone. As long as PostgreSQL believed that nothing
 * waits, it read all waiting messages of all sets by it to find the next ones of a set.
 */
export class OldestMessage1763700000290 implements MigrationInterface {
  readonly name = 'OldestMessage1763700000290';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return indexWhere(runner, `done_at IS NULL AND received_at > '-infinity'`);
  }

  down(runner: QueryRunner): Promise<void> {
    return indexWhere(runner, 'done_at IS NULL');
  }
}
