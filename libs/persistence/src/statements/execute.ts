import { type EntityManager } from 'typeorm';
import { type Client, clientOf } from './client.js';
import { type RowColumns, type RowOf } from './row-columns.js';
import { type SqlStatement } from './sql-statement.js';

/** Runs a statement on a connection. @returns its rows */
export async function executeOn<Columns extends RowColumns>(
  client: Client,
  { name, text }: SqlStatement<Columns>,
  parameters: readonly unknown[],
): Promise<RowOf<Columns>[]> {
  const { rows } = await client.query({ name, text, values: [...parameters] });
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
