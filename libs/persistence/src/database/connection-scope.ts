import { type EntityManager } from 'typeorm';
import { clientOf, type Client } from '../statements/client.js';
import { NO_TENANT, type RowScope, SCOPE_SETTING } from '../row-security/row-security.js';
import { entityManager, type Transaction } from './transaction.js';

const SET_SCOPE = { name: 'set_scope', text: `SELECT set_config('${SCOPE_SETTING}', $1, true)` };

const inBlock = (text: 'BEGIN' | 'COMMIT'): { text: string; values: unknown[] } => ({ text, values: [] });

/**
 * Runs a statement on the rows of a scope, in one round trip: all that belongs to it is sent at once, and a connection keeps
 * nothing of it, so that a pooler may give it to another client after each transaction.
 * @param send sends the statement, before it returns
 */
export async function withinScope<T>(client: Client, scope: RowScope, send: () => Promise<T>): Promise<T> {
  if (scope === NO_TENANT) return send();
  const begun = client.query(inBlock('BEGIN'));
  const set = client.query({ ...SET_SCOPE, values: [scope] });
  const sent = send();
  // of a statement that failed it makes a rollback
  const ended = client.query(inBlock('COMMIT'));
  await Promise.allSettled([begun, set, sent, ended]);
  await Promise.all([begun, set, sent, ended]);
  return sent;
}

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
