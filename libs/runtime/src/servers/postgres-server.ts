import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Credentials } from '../access/credentials.js';
import { MIGRATION_ROLE, roleOf, type SchemaOwner } from '../access/postgres-roles.js';
import { prefixed } from '../processes/command.js';
import { findBinary, POSTGRES_BINARY, postgresHome } from './npm-binaries.js';
import {
  clearLeftBehind,
  createCluster,
  DATABASE,
  dataDirectory,
  LEFT_BEHIND,
  LEFT_BEHIND_MS,
  UNSYNCED,
} from './postgres-cluster.js';
import { hanging, type HangLimits } from '../processes/silence.js';
import { linkLibraries } from './postgres-links.js';
import { type PostgresUser, postgresUser } from './postgres-user.js';
import { type ProcessSpec } from '../processes/process-spec.js';
import { type Durability, LOOPBACK, serverEnv, type ServerOptions, type TlsFiles } from './server-options.js';

/**
 * Asks whether it speaks TLS, which a backend answers with one letter, before any login, and logs nothing of:
 * https://www.postgresql.org/docs/17/protocol-message-formats.html
 */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export interface PostgresServerOptions extends ServerOptions {
  /** Ends the creation of the data directory. */
  readonly signal?: AbortSignal | undefined;
  /** How to run when we are root; by default whatever this machine allows. */
  readonly user?: PostgresUser;
  /** When it is taken for one that hangs. */
  readonly hangLimits?: HangLimits;
}

/** @returns where a service logs in or, without a service, the owner of the schemas */
export function postgresUrl(
  port: number,
  credentials: Credentials,
  service?: SchemaOwner,
  tls?: TlsFiles,
): string {
  const role = service ? roleOf(service) : MIGRATION_ROLE;
  const password = credentials[service ? (`postgres-${service}` as const) : 'postgres-migrate'];
  const url = `postgres://${role}:${password}@${LOOPBACK}:${port}/${DATABASE}`;
  return tls ? `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(tls.authority)}` : url;
}

/** A PostgreSQL server on the folder's `postgres`, created on first use: the database `loci`, and a role for each service. */
export async function postgresServer(options: PostgresServerOptions): Promise<ProcessSpec> {
  const { folder, credentials, durability, port, signal, tls } = options;
  const program = await findBinary(POSTGRES_BINARY);
  await linkLibraries(postgresHome(program));
  const user = options.user ?? (await postgresUser());
  await createCluster({ program, user, folder, credentials, durability, signal });
  const data = dataDirectory(folder);
  return {
    name: 'postgres',
    command: prefixed(user.prefix, [program, '-D', data, ...serverFlags(port, durability, tls)]),
    cwd: '/',
    env: serverEnv,
    ports: { client: port },
    // SIGINT is the fast shutdown: it rolls back what is open and waits for no client
    stopSignal: 'SIGINT',
    stopTimeoutMs: 4_000,
    readyTimeoutMs: 60_000,
    deathSignal: 'SIGQUIT',
    retryStart: { forMs: LEFT_BEHIND_MS, when: (lastLines) => LEFT_BEHIND.test(lastLines) },
    prepare: () => clearLeftBehind(program, data),
    stuck: hanging({ host: LOOPBACK, port, text: SSL_REQUEST }, options.hangLimits),
    isReady: (pid) => acceptsConnections(data, pid),
  };
}

function serverFlags(port: number, durability: Durability, tls: TlsFiles | undefined): string[] {
  const settings = [
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_connections=200',
    'shared_buffers=128MB',
    'log_checkpoints=off',
    // a page out of order costs little more than the next one, on solid state and in memory
    'random_page_cost=1.1',
    // tables that grow from nothing to thousands of rows within a minute need statistics sooner than that
    'autovacuum_naptime=15s',
    // a statement of a process that is gone ends, with its locks, also while it waits for the lock of another
    'client_connection_check_interval=2s',
    ...(durability === 'fast-for-tests' ? UNSYNCED : []),
    ...(tls ? ['ssl=on', `ssl_cert_file=${tls.certificate}`, `ssl_key_file=${tls.key}`] : []),
  ];
  return ['-p', String(port), '-h', LOOPBACK, ...settings.flatMap((setting) => ['-c', setting])];
}

/**
 * Reads the status that the postmaster keeps in its pid file, as `pg_ctl -w` does: line 1 is its pid, line 8 becomes
 * `ready` when it accepts connections (miscadmin.h, `LOCK_FILE_LINE_PM_STATUS`).
 */
async function acceptsConnections(data: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}
