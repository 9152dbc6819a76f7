import { type EntityManager } from 'typeorm';

/**
 * Runs one step of work on many rows, on a connection that sees the rows of all tenants: each in a transaction of its own, or
 * all of them in that of a migration, which knows no entities.
 */
export type RunStep = <T>(step: (manager: EntityManager) => Promise<T>) => Promise<T>;
