import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { keepFormerKeys } from './former-keys.js';

/** Where the keys were changed before the former ones were kept. */
export class FormerKeys1763700000251 implements MigrationInterface {
  readonly name = 'FormerKeys1763700000251';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return keepFormerKeys(runner);
  }

  /** They go with the keys that they stand beside. */
  async down(): Promise<void> {}
}
