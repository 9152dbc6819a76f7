import { randomBytes } from 'node:crypto';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const KEY_BYTES = 32;

export class ApiKeyTag1763700000060 implements MigrationInterface {
  readonly name = 'ApiKeyTag1763700000060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.api_key_tag (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        -- tags issued secrets; grants nothing, so it is not encrypted
        key     bytea NOT NULL
      )`);
    await runner.query(`INSERT INTO ${SCHEMA}.api_key_tag (key) VALUES ($1)`, [randomBytes(KEY_BYTES)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${SCHEMA}.api_key_tag`);
  }
}
