import { type QueryRunner } from 'typeorm';
import { ROWS_OF_ALL, SCOPE_SETTING } from '../statements/row-scope.js';

/** One transaction, in the scope of all tenants, of a migration that is not one transaction as a whole. */
export async function inTransaction<Result>(
  runner: QueryRunner,
  work: () => Promise<Result>,
): Promise<Result> {
  await runner.startTransaction();
  try {
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
