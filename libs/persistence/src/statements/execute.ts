import { type EntityManager } from 'typeorm';
import { type Client, clientOf } from './client.js';
import { type RowColumns, type RowOf } from './row-columns.js';
import { NO_TENANT, type RowScope } from './row-scope.js';
import { ScopedQuery } from './scoped-query.js';
import { type SqlStatement } from './sql-statement.js';

/**
 * Runs a statement on a connection, in one round trip.
 * @param scope whose rows it sees; none when absent, in a transaction those that the transaction sees
 * @returns its rows
 */
export async function executeOn<Columns extends RowColumns>(
  client: Client,
  { name, text }: SqlStatement<Columns>,
  parameters: readonly unknown[],
  scope: RowScope = NO_TENANT,
): Promise<RowOf<Columns>[]> {
  const statement = { name, text, values: [...parameters] };
  const { rows } =
    scope === NO_TENANT ? await client.query(statement) : await ScopedQuery.run(client, scope, statement);
  // the one cast of rows: each statement's columns are compared with the server's description by a test
  return rows as RowOf<Columns>[];
}

/**
 * Runs a statement on the connection of a manager, which is one of `UnitOfWork` or of a transaction.
 * @returns its rows
 */
export async function execute<Columns extends RowColumns>(
  manager: EntityManager,
  statement: SqlStatement<Columns>,
  parameters: readonly unknown[] = [],
): Promise<RowOf<Columns>[]> {
  return executeOn(await clientOf(manager), statement, parameters);
}
