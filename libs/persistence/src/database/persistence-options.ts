/** How a service reaches its own schema. */
export interface PersistenceOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Of the server itself, where `url` is a pooler by transaction, which passes no notifications on. `url` when absent. */
  readonly directUrl?: string | undefined;
  /** Lower case; the service owns it alone. */
  readonly schema: string;
  /** Of its own tables; those of this library are known anyway. */
  readonly entities: readonly (new () => object)[];
  /** Connections at most. */
  readonly poolSize?: number;
  /** How long to wait for one of them, and for the server to accept it; absent: as long as a request may, 2 seconds. */
  readonly connectionWaitMs?: number | undefined;
  /** A statement that takes longer is ended by the server. */
  readonly statementTimeoutMs?: number;
}

/** The options of the module, for what is built from them. */
export const PERSISTENCE_OPTIONS = Symbol('PERSISTENCE_OPTIONS');
