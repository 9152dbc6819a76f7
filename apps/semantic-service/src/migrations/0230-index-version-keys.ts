import { keyIndexVersionsByOwner, keyIndexVersionsByUid } from '@loci/indexing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** The key of an index version contains its set, by which the tables can be spread over servers. */
export class IndexVersionKeys1763700000230 implements MigrationInterface {
  readonly name = 'IndexVersionKeys1763700000230';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await keyIndexVersionsByOwner(runner, SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await keyIndexVersionsByUid(runner, SCHEMA);
  }
}
