import { type Credentials, credentialsOf } from './access/credentials.js';
import { type NatsUser } from './access/nats-users.js';
import { type SchemaOwner } from './access/postgres-roles.js';
import { DataFolder } from './folder/data-folder.js';
import { assertPortFree, freePort } from './free-ports.js';
import { natsServer, natsUrl } from './servers/nats-server.js';
import {
  isPinned,
  NATS_BINARY,
  type NpmBinary,
  platform,
  POSTGRES_BINARY,
  QDRANT_BINARY,
} from './servers/npm-binaries.js';
import { postgresServer, postgresUrl } from './servers/postgres-server.js';
import { type ProcessListener } from './processes/process-events.js';
import { type ProcessSpec } from './processes/process-spec.js';
import { qdrantServer, qdrantUrl } from './servers/qdrant-server.js';
import { type Durability, LOOPBACK, type ServerOptions, type TlsFiles } from './servers/server-options.js';
import { type RunningProcess } from './processes/supervised-process.js';
import { Supervisor } from './processes/supervisor.js';

export type ServerName = 'nats' | 'postgres' | 'qdrant';

export interface StartServersOptions {
  /** Created when it does not exist. */
  readonly dataDir: string;
  readonly durability: Durability;
  /** Which servers to start; all by default. */
  readonly only?: readonly ServerName[];
  /** Servers that run elsewhere and are not started here. */
  readonly urls?: Readonly<Partial<Record<ServerName, string>>>;
  /** Ports to use instead of free ones. */
  readonly ports?: Readonly<Partial<Record<ServerName, number>>>;
  /** The servers that are started speak TLS, and their URLs say so. */
  readonly tls?: TlsFiles;
  readonly onEvent?: ProcessListener;
  /** Gives up: what was started is stopped, and the start fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A set of servers, running or elsewhere. Where one runs elsewhere, its URL is the one that was given, for everybody. */
export interface Servers {
  /** For the operator, who may do everything; processes log in with `natsUrlOf`. */
  readonly natsUrl: string;
  /** For migrations, restores and backups: the role that owns the schemas; services log in with `databaseUrlOf`. */
  readonly databaseUrl: string;
  readonly qdrantUrl: string;
  /** Absent when Qdrant runs elsewhere. */
  readonly qdrantApiKey: string | undefined;
  natsUrlOf(user: NatsUser): string;
  databaseUrlOf(service: SchemaOwner): string;
  /** Runs the servers; further processes started with it stop before them. */
  readonly supervisor: Supervisor;
  readonly folder: DataFolder;
  /** The processes that exist at this moment, by name. */
  readonly processes: Readonly<Record<string, RunningProcess>>;
  /** Stops everything and frees the data folder. */
  stop(): Promise<void>;
}

interface PlannedServer {
  readonly name: ServerName;
  readonly spec: ProcessSpec;
  readonly port: number;
}

const ALL: readonly ServerName[] = ['nats', 'postgres', 'qdrant'];
const BINARIES: Readonly<Record<ServerName, NpmBinary>> = {
  nats: NATS_BINARY,
  postgres: POSTGRES_BINARY,
  qdrant: QDRANT_BINARY,
};
const PORT_VARIABLES = { nats: 'NATS_PORT', postgres: 'POSTGRES_PORT', qdrant: 'QDRANT_PORT' } as const;

/**
 * Starts servers on a data folder, in parallel, and keeps them running until `stop`.
 * @throws RuntimeError with everything stopped again: a sentence that says what to do
 */
export async function startServers(options: StartServersOptions): Promise<Servers> {
  const { dataDir, urls = {}, only = ALL, tls, onEvent, signal } = options;
  signal?.throwIfAborted();
  const folder = await DataFolder.open(dataDir);
  const supervisor = new Supervisor({ folder, onEvent });
  const ports: Partial<Record<ServerName, number>> = {};
  const credentials = await credentialsOf(folder).catch((error: unknown) => {
    folder.close();
    throw error;
  });
  const servers = new ServerSet({ folder, supervisor, credentials, urls, ports, tls });
  const giveUp = (): void => void supervisor.stop();
  signal?.addEventListener('abort', giveUp);
  try {
    const missing = only.filter((name) => urls[name] === undefined);
    const planned = await planAll(missing, folder, credentials, options);
    for (const { name, port } of planned) {
      ports[name] = port;
      if (!isPinned(BINARIES[name])) onEvent?.({ kind: 'unchecked', name, platform });
    }
    await supervisor.start(planned.map(({ spec }) => spec));
    return servers;
  } catch (error) {
    await servers.stop();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Fails only when all have ended: a database must not still be created on a folder that was given up. */
async function planAll(
  names: readonly ServerName[],
  folder: DataFolder,
  credentials: Credentials,
  options: StartServersOptions,
): Promise<PlannedServer[]> {
  const plans = names.map(async (name) => {
    const port = await choosePort(options.ports?.[name], PORT_VARIABLES[name]);
    return { name, port, spec: await specOf(name, { folder, credentials, port, ...options }) };
  });
  await Promise.allSettled(plans);
  return Promise.all(plans);
}

async function specOf(
  name: ServerName,
  { signal, ...options }: ServerOptions & Pick<StartServersOptions, 'signal'>,
): Promise<ProcessSpec> {
  switch (name) {
    case 'nats':
      return natsServer({ ...options, monitorPort: await freePort() });
    case 'postgres':
      return postgresServer({ ...options, signal });
    case 'qdrant':
      return qdrantServer(options);
  }
}

async function choosePort(fixed: number | undefined, variable: string): Promise<number> {
  if (fixed === undefined) return freePort();
  await assertPortFree({ port: fixed, host: LOOPBACK, portVariable: variable });
  return fixed;
}

interface ServerSetParts {
  readonly folder: DataFolder;
  readonly supervisor: Supervisor;
  readonly credentials: Credentials;
  /** Of those that run elsewhere. */
  readonly urls: Readonly<Partial<Record<ServerName, string>>>;
  /** Of those that were started. */
  readonly ports: Readonly<Partial<Record<ServerName, number>>>;
  readonly tls: TlsFiles | undefined;
}

class ServerSet implements Servers {
  constructor(private readonly parts: ServerSetParts) {}

  get folder(): DataFolder {
    return this.parts.folder;
  }

  get supervisor(): Supervisor {
    return this.parts.supervisor;
  }

  get natsUrl(): string {
    return this.natsUrlOf('operator');
  }

  get databaseUrl(): string {
    return this.urlOf('postgres', (port) => this.postgresUrlAt(port));
  }

  get qdrantUrl(): string {
    return this.urlOf('qdrant', (port) => qdrantUrl(port, this.parts.tls));
  }

  get qdrantApiKey(): string | undefined {
    return this.parts.urls.qdrant === undefined ? this.parts.credentials.qdrant : undefined;
  }

  get processes(): Readonly<Record<string, RunningProcess>> {
    return this.supervisor.processes;
  }

  natsUrlOf(user: NatsUser): string {
    return this.urlOf('nats', (port) => natsUrl(port, this.parts.credentials, user, this.parts.tls));
  }

  databaseUrlOf(service: SchemaOwner): string {
    return this.urlOf('postgres', (port) => this.postgresUrlAt(port, service));
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    this.folder.close();
  }

  private postgresUrlAt(port: number, service?: SchemaOwner): string {
    return postgresUrl(port, this.parts.credentials, service, this.parts.tls);
  }

  private urlOf(name: ServerName, urlAt: (port: number) => string): string {
    const { urls, ports } = this.parts;
    const { [name]: port } = ports;
    const url = urls[name] ?? (port === undefined ? undefined : urlAt(port));
    if (url === undefined) throw new Error(`${name} was not asked for: name it in "only", or give its URL.`);
    return url;
  }
}
