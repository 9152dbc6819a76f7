import { createQuotaLimitsTable, dropQuotaLimitsTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

export class Quotas1763700000100 implements MigrationInterface {
  readonly name = 'Quotas1763700000100';

  async up(runner: QueryRunner): Promise<void> {
    await createQuotaLimitsTable(runner, { schema: SCHEMA, tenant: 'org_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropQuotaLimitsTable(runner, SCHEMA);
  }
}
