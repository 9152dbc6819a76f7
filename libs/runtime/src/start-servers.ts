import { DataFolder } from './folder/data-folder.js';
import { assertPortFree, freePort } from './free-ports.js';
import { natsServer, natsUrl } from './servers/nats-server.js';
import { postgresServer } from './servers/postgres-server.js';
import { type ProcessListener } from './processes/process-events.js';
import { type ProcessSpec } from './processes/process-spec.js';
import { qdrantServer, qdrantUrl } from './servers/qdrant-server.js';
import { type Durability, LOOPBACK } from './servers/server-options.js';
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
  readonly onEvent?: ProcessListener;
  /** Gives up: what was started is stopped, and the start fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A set of servers, running or elsewhere. */
export interface Servers {
  readonly natsUrl: string;
  readonly databaseUrl: string;
  readonly qdrantUrl: string;
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
  readonly url: string;
}

const ALL: readonly ServerName[] = ['nats', 'postgres', 'qdrant'];
const PORT_VARIABLES = { nats: 'NATS_PORT', postgres: 'POSTGRES_PORT', qdrant: 'QDRANT_PORT' } as const;

/**
 * Starts servers on a data folder, in parallel, and keeps them running until `stop`.
 * @throws RuntimeError with everything stopped again: a sentence that says what to do
 */
export async function startServers(options: StartServersOptions): Promise<Servers> {
  const { dataDir, urls = {}, only = ALL, onEvent, signal } = options;
  signal?.throwIfAborted();
  const folder = await DataFolder.open(dataDir);
  const supervisor = new Supervisor({ folder, onEvent });
  const servers = new ServerSet(folder, supervisor, { ...urls });
  const giveUp = (): void => void supervisor.stop();
  signal?.addEventListener('abort', giveUp);
  try {
    const missing = only.filter((name) => urls[name] === undefined);
    const planned = await planAll(missing, folder, options);
    for (const { name, url } of planned) servers.urls[name] = url;
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
  options: StartServersOptions,
): Promise<PlannedServer[]> {
  const plans = names.map(async (name) => ({ name, ...(await plan(name, folder, options)) }));
  await Promise.allSettled(plans);
  return Promise.all(plans);
}

async function plan(
  name: ServerName,
  folder: DataFolder,
  { durability, ports = {}, signal }: StartServersOptions,
): Promise<Omit<PlannedServer, 'name'>> {
  const port = await choosePort(ports[name], PORT_VARIABLES[name]);
  switch (name) {
    case 'nats': {
      const monitorPort = await freePort();
      return { spec: await natsServer({ folder, port, monitorPort }), url: natsUrl(port) };
    }
    case 'postgres':
      return postgresServer({ folder, port, durability, signal });
    case 'qdrant':
      return { spec: await qdrantServer({ folder, port, durability }), url: qdrantUrl(port) };
  }
}

async function choosePort(fixed: number | undefined, variable: string): Promise<number> {
  if (fixed === undefined) return freePort();
  await assertPortFree({ port: fixed, host: LOOPBACK, portVariable: variable });
  return fixed;
}

class ServerSet implements Servers {
  constructor(
    readonly folder: DataFolder,
    readonly supervisor: Supervisor,
    readonly urls: Partial<Record<ServerName, string>>,
  ) {}

  get natsUrl(): string {
    return this.urlOf('nats');
  }

  get databaseUrl(): string {
    return this.urlOf('postgres');
  }

  get qdrantUrl(): string {
    return this.urlOf('qdrant');
  }

  get processes(): Readonly<Record<string, RunningProcess>> {
    return this.supervisor.processes;
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    this.folder.close();
  }

  private urlOf(name: ServerName): string {
    const url = this.urls[name];
    if (url === undefined) throw new Error(`${name} was not asked for: name it in "only", or give its URL.`);
    return url;
  }
}
