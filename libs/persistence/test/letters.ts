import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { enableRowSecurity } from '../src/row-security/row-security.js';

/** A table of letters, each of a tenant, with row security. */
export class Letters1700000000001 implements MigrationInterface {
  readonly name = 'Letters1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE spec.letters (tenant text NOT NULL, text text NOT NULL)');
    await enableRowSecurity(runner, { schema: 'spec', table: 'letters', tenant: 'tenant' });
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}
