import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Long skeletons are kept as digests: those that are there are made again when the service starts. */
export class ShortSkeletons1763700000208 implements MigrationInterface {
  readonly name = 'ShortSkeletons1763700000208';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE ${SCHEMA}.projects SET org_skeleton = NULL, project_skeleton = NULL
      WHERE octet_length(org_skeleton) > 400 OR octet_length(project_skeleton) > 400`);
  }

  async down(): Promise<void> {
    // a digest is as good a skeleton to the version before
  }
}
