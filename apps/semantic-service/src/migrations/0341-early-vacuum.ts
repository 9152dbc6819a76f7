import { vacuumByDefault, vacuumEarly } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What is learned, from which messages and how, and the messages that are still to be learned from. */
const TABLES = ['features', 'citations', 'feature_history', 'ingestion_messages', 'ingestion_progress'];

export class EarlyVacuum1763700000341 implements MigrationInterface {
  readonly name = 'EarlyVacuum1763700000341';

  up(runner: QueryRunner): Promise<void> {
    return vacuumEarly(runner, SCHEMA, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return vacuumByDefault(runner, SCHEMA, TABLES);
  }
}
