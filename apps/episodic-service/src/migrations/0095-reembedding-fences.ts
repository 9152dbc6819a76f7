import { addIndexVersionFences, dropIndexVersionFences } from '@loci/indexing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

export class ReembeddingFences1763700000095 implements MigrationInterface {
  readonly name = 'ReembeddingFences1763700000095';

  up(runner: QueryRunner): Promise<void> {
    return addIndexVersionFences(runner, SCHEMA);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndexVersionFences(runner, SCHEMA);
  }
}
