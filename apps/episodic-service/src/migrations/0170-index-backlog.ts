import {
  addComparisonProgress,
  createIndexBacklog,
  dropComparisonProgress,
  dropIndexBacklog,
} from '@loci/indexing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const WAITS = 'indexed_at IS NULL AND in_long_term AND deleted_at IS NULL';

/** Looks at what waits for its vector, and comparisons with the index, cost the same at any size. */
export class IndexBacklog1763700000170 implements MigrationInterface {
  readonly name = 'IndexBacklog1763700000170';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.episodes_waiting`);
    await runner.query(
      `CREATE INDEX episodes_waiting ON ${SCHEMA}.episodes (added_at) WHERE ${WAITS} AND ordered_at IS NULL`,
    );
    // what the sweeper has asked for, which it asks for again by that time
    await runner.query(
      `CREATE INDEX episodes_ordered ON ${SCHEMA}.episodes (ordered_at) WHERE ${WAITS} AND ordered_at IS NOT NULL`,
    );
    // the same by age; in other words, so that the planner does not take it for the other one
    await runner.query(
      `CREATE INDEX episodes_ordered_by_age ON ${SCHEMA}.episodes (added_at) WHERE ${WAITS} AND ordered_at > '-infinity'`,
    );
    await addComparisonProgress(runner, SCHEMA);
    await createIndexBacklog(runner, { schema: SCHEMA, table: 'episodes', waits: WAITS });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexBacklog(runner, { schema: SCHEMA, table: 'episodes' });
    await dropComparisonProgress(runner, SCHEMA);
    for (const index of ['ordered', 'ordered_by_age', 'waiting']) {
      await runner.query(`DROP INDEX ${SCHEMA}.episodes_${index}`);
    }
    await runner.query(`CREATE INDEX episodes_waiting ON ${SCHEMA}.episodes (added_at) WHERE ${WAITS}`);
  }
}
