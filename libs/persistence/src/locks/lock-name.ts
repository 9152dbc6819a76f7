import { type EntityManager } from 'typeorm';
import { execute } from '../statements/execute.js';
import { LOCK_NAME } from './lock-name.sql.js';

/**
 * Waits until no other transaction has locked the name; the lock ends with this transaction.
 * @param seed the same for all names of one use
 */
export async function lockName(manager: EntityManager, name: string, seed = 0): Promise<void> {
  await execute(manager, LOCK_NAME, [name, seed]);
}
