import { createUnfinishedDeliveriesTable, dropUnfinishedDeliveriesTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Messages that end the process of their consumer are set aside. */
export class UnfinishedDeliveries1763700000101 implements MigrationInterface {
  readonly name = 'UnfinishedDeliveries1763700000101';

  up(runner: QueryRunner): Promise<void> {
    return createUnfinishedDeliveriesTable(runner, SCHEMA);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropUnfinishedDeliveriesTable(runner, SCHEMA);
  }
}
