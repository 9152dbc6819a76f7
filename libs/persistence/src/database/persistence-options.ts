import { type EntitySchema, type MixedList } from 'typeorm';

/** How a service reaches its own schema. */
export interface PersistenceOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Lower case; the service owns it alone. */
  readonly schema: string;
  readonly entities: MixedList<(new () => object) | EntitySchema>;
  /** Connections at most. */
  readonly poolSize?: number;
  /** A statement that takes longer is ended by the server. */
  readonly statementTimeoutMs?: number;
}

/** The options of the module, for what is built from them. */
export const PERSISTENCE_OPTIONS = Symbol('PERSISTENCE_OPTIONS');
