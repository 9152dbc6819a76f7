import { vacuumByDefault, vacuumEarly } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Each message is updated once it has its vector, and again by summaries, sweeps and deletions. */
const TABLES = ['episodes'];

export class EarlyVacuum1763700000341 implements MigrationInterface {
  readonly name = 'EarlyVacuum1763700000341';

  up(runner: QueryRunner): Promise<void> {
    return vacuumEarly(runner, SCHEMA, TABLES);
  }

  down(runner: QueryRunner): Promise<void> {
    return vacuumByDefault(runner, SCHEMA, TABLES);
  }
}
