import { type Logger } from '@loci/platform';
import pg from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { PERSISTENCE_ENTITIES } from '../entities.js';
import { type PersistenceOptions } from './persistence-options.js';

export const DEFAULT_POOL_SIZE = 10;
const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;

/** A request that finds no free connection for so long is turned away; so is one that cannot reach the server. */
export const POOL_WAIT_MS = 2_000;

/**
 * The same for work that no client waits for. On a busy machine a worker, which yields to others, may need seconds to connect:
 * one that gave up after two would begin again for ever.
 */
export const BACKGROUND_POOL_WAIT_MS = 15_000;

const IDLE_CONNECTION_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * The server ends a statement at its time limit. One that has still not answered after half as long again hardly ever will:
 * its machine is gone without a word, or its process hangs. TCP alone waits for a quarter of an hour, with the connection,
 * the work on it and the turn of its organization.
 */
const SILENT_SHARE = 1.5;

/** A transaction that its process forgot is ended, with its locks. */
const IDLE_TRANSACTION_MS = 60_000;

/** UTC whatever the server's default is, and READ COMMITTED without a round trip to ask for it. */
const SESSION = String.raw`-c TimeZone=UTC -c default_transaction_isolation=read\ committed`;

/** What TypeORM is given. The schema is never changed by it: migrations are a step of their own. */
export const dataSourceOptions = (
  {
    url,
    schema,
    entities,
    poolSize = DEFAULT_POOL_SIZE,
    connectionWaitMs = POOL_WAIT_MS,
    statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS,
  }: PersistenceOptions,
  logger: Logger,
): DataSourceOptions => ({
  type: 'postgres',
  // the one that `ScopedQuery` extends; by itself TypeORM loads another copy where the program is a bundle
  driver: pg,
  url,
  schema,
  entities: [...PERSISTENCE_ENTITIES, ...entities],
  poolSize,
  synchronize: false,
  logging: false,
  installExtensions: false,
  applicationName: `loci-${schema}`,
  connectTimeoutMS: connectionWaitMs,
  poolErrorHandler: (error: unknown) => logger.warn('lost an idle connection to PostgreSQL', { error }),
  extra: {
    options: SESSION,
    statement_timeout: statementTimeoutMs,
    // ends the connection, too, since statements go out before those in front of them are answered
    query_timeout: statementTimeoutMs * SILENT_SHARE,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    // a statement does not wait for the answer of the one before it
    pipeline: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  },
});
