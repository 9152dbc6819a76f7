import { type EntityManager } from 'typeorm';
import { clientOf } from '../statements/client.js';
import { SET_SCOPE } from '../statements/scoped-query.js';
import { NO_TENANT, type RowScope } from '../statements/row-scope.js';
import { entityManager, type Transaction } from './transaction.js';

/** What each running transaction is set to. One that is not here shows nothing. */
const scopes = new WeakMap<EntityManager, RowScope>();

/**
 * What works inside a transaction, on the rows of a scope from now on until the transaction ends or is given another
 * scope: for adapters.
 */
export async function scopedManager(tx: Transaction, scope: RowScope): Promise<EntityManager> {
  const manager = entityManager(tx);
  if ((scopes.get(manager) ?? NO_TENANT) !== scope) {
    const client = await clientOf(manager);
    scopes.set(manager, scope);
    // it goes out before the next statement, in the same round trip; if it fails, so does every statement after it
    client.query({ ...SET_SCOPE, values: [scope] }).catch(() => undefined);
  }
  return manager;
}
