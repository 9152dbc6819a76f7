import { type EntityManager } from 'typeorm';
import { entityManager, type Transaction } from './transaction.js';
import { NO_TENANT, type RowScope, SCOPE_SETTING } from '../row-security/row-security.js';

interface Queryable {
  query(query: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}

const SET_SCOPE = { name: 'set_scope', text: `SELECT set_config('${SCOPE_SETTING}', $1, false)` };

/** What each connection is set to. One that is not here is new, and shows nothing. */
const scopes = new WeakMap<Queryable, RowScope>();

/**
 * Sets a connection to a scope, unless it is already: a pool of connections that serves one kind of work pays nothing.
 * Never within a transaction, whose end could undo it unnoticed.
 */
export async function setConnectionScope(client: Queryable, scope: RowScope): Promise<void> {
  if ((scopes.get(client) ?? NO_TENANT) === scope) return;
  await client.query({ ...SET_SCOPE, values: [scope] });
  scopes.set(client, scope);
}

/** What each running transaction was set to on its own. */
const localScopes = new WeakMap<EntityManager, RowScope>();

/** Notes what the connection of a transaction that has just begun is set to. */
export const beginInScope = (manager: EntityManager, scope: RowScope): void => {
  localScopes.set(manager, scope);
};

/**
 * What works inside a transaction, on the rows of a scope from now on until the transaction ends or is given another
 * scope: for adapters.
 */
export async function scopedManager(tx: Transaction, scope: RowScope): Promise<EntityManager> {
  const manager = entityManager(tx);
  if (localScopes.get(manager) !== scope) {
    await manager.query(`SELECT set_config('${SCOPE_SETTING}', $1, true)`, [scope]);
    localScopes.set(manager, scope);
  }
  return manager;
}
