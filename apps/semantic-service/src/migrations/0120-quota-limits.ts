import { createQuotaLimitsTable, dropQuotaLimitsTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

export class QuotaLimits1763700000120 implements MigrationInterface {
  readonly name = 'QuotaLimits1763700000120';

  async up(runner: QueryRunner): Promise<void> {
    await createQuotaLimitsTable(runner, { schema: SCHEMA, tenant: `org_id || '/'` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropQuotaLimitsTable(runner, SCHEMA);
  }
}
