import { departitionOutbox, partitionOutbox } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Sent messages go with their partition, instead of being deleted one by one. */
export class OutboxPartitions1763700000200 implements MigrationInterface {
  readonly name = 'OutboxPartitions1763700000200';

  async up(runner: QueryRunner): Promise<void> {
    await partitionOutbox(runner, SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await departitionOutbox(runner, SCHEMA);
  }
}
