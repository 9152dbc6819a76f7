import { type EntityManager } from 'typeorm';

/** A connection of the driver: TypeORM itself knows no prepared statements, and sends one statement at a time. */
export interface Client {
  query(query: { name?: string | undefined; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
  /** @param query one that writes itself to the connection */
  query(query: { submit(wire: never): unknown }): unknown;
}

/** The connection of a manager, which is one of `UnitOfWork` or of a transaction. */
export async function clientOf({ queryRunner }: EntityManager): Promise<Client> {
  if (!queryRunner) throw new Error('Only a manager of a unit of work has a connection.');
  return (await queryRunner.connect()) as Client;
}
