import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Connecting,
  connectionEnv,
  freePort,
  nodeService,
  runToCompletion,
  type Servers,
  startServers,
} from '@loci/runtime';
import { eventually } from './eventually.js';

/** A process of Loci, as the table of the standalone form describes it. */
export interface FleetRow {
  readonly name: string;
  readonly main: string;
}

export interface FleetService extends FleetRow, Connecting {
  readonly serves: 'clients' | 'operator';
}

export interface FleetOptions {
  readonly table: { readonly migrations: readonly FleetRow[]; readonly services: readonly FleetService[] };
  /** How many of each service. Default 2. */
  readonly replicas?: (service: FleetService) => number;
  /** Absolute path of a main module of the table. Default: this repository's builds. */
  readonly mainOf?: (main: string) => string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Done when the schemas are up to date and no service has started yet.
   * @param ownerUrl the database, for the role that owns the schemas
   */
  readonly beforeServices?: (ownerUrl: string) => Promise<void>;
}

interface Member {
  readonly name: string;
  readonly service: FleetService;
  readonly url: string;
}

const GRACE_MS = 30_000;

/** Of a process on a machine that is busy with everything else, such as the start of all others. */
const START_MS = 120_000;

/** The same for all fleets, so that one reads what another stored. */
const SECRET_KEYS = `test:${Buffer.alloc(32, 'fleet').toString('base64')}`;

/**
 * Several replicas of every process on real servers, and the balancer before the gateways: a cluster in small. Services
 * log in as in a deployment, each with its own credentials.
 */
export class Fleet {
  private readonly members: Member[] = [];
  private readonly outOfRotation = new Set<string>();
  private turn = 0;

  private constructor(
    readonly servers: Servers,
    private readonly dataDir: string,
    private readonly options: Required<FleetOptions>,
  ) {}

  static async start({
    table,
    replicas = () => 2,
    mainOf = (main) => join(process.cwd(), 'apps', main),
    env = {},
    beforeServices = () => Promise.resolve(),
  }: FleetOptions): Promise<Fleet> {
    const dataDir = await mkdtemp(join(tmpdir(), 'loci-fleet-'));
    const servers = await startServers({ dataDir, durability: 'fast-for-tests' });
    const fleet = new Fleet(servers, dataDir, { table, replicas, mainOf, env, beforeServices });
    try {
      await Promise.all(table.migrations.map((row) => fleet.migrate(row)));
      await beforeServices(servers.databaseUrl);
      await fleet.startServices();
      return fleet;
    } catch (error) {
      await fleet.destroy();
      throw error;
    }
  }

  /** The names of all replicas: `gateway-1`, `gateway-2`, ... */
  get names(): string[] {
    return this.members.map(({ name }) => name);
  }

  /** The gateway whose turn it is. */
  get url(): string {
    const serving = this.members.filter(
      ({ name, service }) => service.serves === 'clients' && !this.outOfRotation.has(name),
    );
    const next = serving[this.turn++ % serving.length];
    if (!next) throw new Error('No gateway is in rotation.');
    return next.url;
  }

  /** Where a replica serves its metrics and health. */
  urlOf(name: string): string {
    const found = this.members.find((member) => member.name === name);
    if (!found) throw new Error(`There is no ${name}; there are ${this.names.join(', ')}.`);
    return found.url;
  }

  /**
   * Replaces one replica as a rolling update does: no new request of clients reaches it, it is told to stop, and its
   * successor serves when it is ready.
   * @returns milliseconds from the signal to the end of the old process
   * @throws Error when it does not end within the grace period of Kubernetes, 30 s
   */
  async replace(name: string): Promise<number> {
    const before = this.servers.processes[name];
    if (!before) throw new Error(`${name} is not running.`);
    this.outOfRotation.add(name);
    const startedAt = performance.now();
    process.kill(before.pid, 'SIGTERM');
    await eventually(() => !isAlive(before.pid), { what: `${name} has drained`, timeoutMs: GRACE_MS });
    const drainedInMs = performance.now() - startedAt;
    await this.isReplaced(name, before.pid);
    this.outOfRotation.delete(name);
    return drainedInMs;
  }

  /**
   * Ends a replica, or one of the servers, as a crash does: without warning, and while clients go on to use it.
   * @returns when another has taken its place and is ready
   */
  async kill(name: string): Promise<void> {
    const before = this.servers.processes[name];
    if (!before) throw new Error(`${name} is not running.`);
    process.kill(before.pid, 'SIGKILL');
    await this.isReplaced(name, before.pid);
  }

  async destroy(): Promise<void> {
    await this.servers.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async isReplaced(name: string, pid: number): Promise<void> {
    const isReady = (): boolean => {
      const now = this.servers.processes[name];
      return now !== undefined && now.pid !== pid && now.state === 'ready';
    };
    await eventually(isReady, { what: `${name} is replaced`, timeoutMs: START_MS });
  }

  private envOf(name: string): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      LOCI_SECRET_KEYS: SECRET_KEYS,
      EGRESS_ALLOW_PRIVATE: 'true',
      ...this.options.env,
      SERVICE_NAME: name,
    };
  }

  private async migrate({ name, main }: FleetRow): Promise<void> {
    const { exit, errors } = await runToCompletion({
      command: [process.execPath, this.options.mainOf(main)],
      cwd: process.cwd(),
      env: { ...process.env, ...this.envOf(name), DATABASE_URL: this.servers.databaseUrl },
      logPath: join(this.servers.folder.part('logs'), `${name}.log`),
      signal: new AbortController().signal,
    });
    if (exit.code !== 0) throw new Error(`${name} failed: ${errors}`);
  }

  private async startServices(): Promise<void> {
    const { table, replicas } = this.options;
    const wanted = table.services.flatMap((service) =>
      Array.from({ length: replicas(service) }, (_, index) => ({
        service,
        name: `${service.name}-${index + 1}`,
      })),
    );
    const specs = await Promise.all(
      wanted.map(async ({ service, name }) => {
        const port = await freePort();
        const url = `http://127.0.0.1:${port}`;
        this.members.push({ name, service, url });
        const own = service.serves === 'clients' ? { PORT: String(port) } : { PROBE_PORT: String(port) };
        return nodeService({
          name,
          main: this.options.mainOf(service.main),
          env: { ...connectionEnv(this.servers, service), ...this.envOf(name), ...own },
          ports: { http: port },
          readyUrl: `${url}/health/ready`,
          liveUrl: `${url}/health/live`,
          readyTimeoutMs: START_MS,
        });
      }),
    );
    await this.servers.supervisor.start(specs);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
