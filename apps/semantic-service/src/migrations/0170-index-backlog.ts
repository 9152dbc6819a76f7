import {
  addComparisonProgress,
  createIndexBacklog,
  dropComparisonProgress,
  dropIndexBacklog,
} from '@loci/indexing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Looks at what waits for its vector, and comparisons with the index, cost the same at any size. */
export class IndexBacklog1763700000170 implements MigrationInterface {
  readonly name = 'IndexBacklog1763700000170';

  async up(runner: QueryRunner): Promise<void> {
    await addComparisonProgress(runner, SCHEMA);
    await createIndexBacklog(runner, {
      schema: SCHEMA,
      table: 'features',
      waits: 'indexed_at IS NULL AND deleted_at IS NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexBacklog(runner, { schema: SCHEMA, table: 'features' });
    await dropComparisonProgress(runner, SCHEMA);
  }
}
