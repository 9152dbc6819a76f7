import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Who follows the episodes for semantic memory reads them in this order. */
export class OrderOfAdding1763700000030 implements MigrationInterface {
  readonly name = 'OrderOfAdding1763700000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX episodes_in_order_of_adding ON ${SCHEMA}.episodes (added_at, uid)
       WHERE is_semantic AND deleted_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.episodes_in_order_of_adding`);
  }
}
