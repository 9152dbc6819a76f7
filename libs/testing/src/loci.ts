import { eventually } from './eventually.js';
import {
  type Credentials,
  freePort,
  type NatsUser,
  natsUrl,
  postgresUrl,
  qdrantUrl,
  type SchemaOwner,
} from '@loci/runtime';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(process.cwd(), 'apps/standalone/dist/main.js');

/** Longer than the server that may take longest, Qdrant with a large folder: then the product says itself what failed. */
const START_MS = 360_000;

/** Recovers within seconds, though sweeping is not what the machine does, and workers get their share of a busy one. */
const IMPATIENT = {
  SWEEP_INTERVAL_MS: '1000',
  SWEEP_PATIENCE_MS: '1000',
  INDEX_LOSS_CONFIRMATIONS: '2',
  INDEX_LOSS_SPAN_MS: '500',
  RECONCILE_CHECK_INTERVAL_MS: '2000',
  LEASE_MS: '2000',
  RETIREMENT_MS: '1000',
  DELETION_SWEEP_INTERVAL_MS: '2000',
  DELETION_PATIENCE_MS: '1000',
  MODEL_CIRCUIT_PAUSE_MS: '1000',
  MODEL_PROBE_SWEEP_INTERVAL_MS: '1000',
  MODEL_PROBE_RETRY_MIN_MS: '500',
  CONFIG_FILE_SYNC_INTERVAL_MS: '1000',
  WEBHOOK_SWEEP_INTERVAL_MS: '200',
  WEBHOOK_RETRY_MIN_MS: '200',
  WORKER_NICENESS: '0',
  // what was just stored is found by its meaning on a busy machine, too
  SEARCH_INDEX_BUDGET_MS: '5000',
};

/** Integration tests, which may run in the same Jest, share servers that they name by these. */
const OWN_SERVERS = { NATS_URL: '', DATABASE_URL: '', QDRANT_URL: '', QDRANT_API_KEY: '' };

export type ProcessName =
  | 'nats'
  | 'postgres'
  | 'qdrant'
  | 'streams'
  | 'config-service'
  | 'episodic-api'
  | 'episodic-worker'
  | 'semantic-api'
  | 'semantic-worker'
  | 'gateway';

interface RunningProcess {
  readonly pid: number;
  readonly ports: Readonly<Record<string, number>>;
  readonly state: 'starting' | 'ready';
}

export interface LociOptions {
  /** Environment beyond the defaults of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Data folder of an earlier run. */
  readonly dataDir?: string;
  /** Default `fast`: recovery that takes seconds in production takes a second in a test. */
  readonly sweeps?: 'fast' | 'as delivered';
}

/** The product as a user runs it: the standalone command on a folder and a port of its own. */
export class Loci {
  private output = '';

  private constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /** One that does not start ends, and leaves a data folder that was given as it is. */
  static async start({ env = {}, dataDir, sweeps = 'fast' }: LociOptions = {}): Promise<Loci> {
    const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'loci-e2e-')));
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        ...OWN_SERVERS,
        ...(sweeps === 'fast' && IMPATIENT),
        ...env,
        PORT: String(port),
        LOCI_DATA_DIR: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const loci = new Loci(folder, port, child);
    child.stdout.on('data', (chunk: Buffer) => (loci.output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (loci.output += chunk.toString()));
    try {
      await loci.welcomed();
      return loci;
    } catch (error) {
      await (dataDir === undefined ? loci.destroy() : loci.stop());
      throw new Error(`Loci did not start. It printed:\n${loci.output}`, { cause: error });
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Of the command; everything that it starts descends from it. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error('The command was not started.');
    return pid;
  }

  /** What the command printed so far. */
  get printed(): string {
    return this.output;
  }

  /** Waits until the whole product says that it is healthy. */
  async ready(): Promise<void> {
    await eventually(async () => (await fetch(`${this.url}/api/v2/health`)).ok, {
      what: 'Loci is healthy',
    });
  }

  async process(name: ProcessName): Promise<RunningProcess> {
    const list = JSON.parse(await readFile(join(this.dataDir, 'run/processes.json'), 'utf8')) as Partial<
      Record<ProcessName, RunningProcess>
    >;
    const found = list[name];
    if (!found) throw new Error(`${name} is not running`);
    return found;
  }

  /** Where a user logs in at the NATS that the product has started. */
  async natsUrlOf(user: NatsUser): Promise<string> {
    return natsUrl(await this.portOf('nats', 'client'), await this.credentials(), user);
  }

  /** Where a service logs in at the PostgreSQL that the product has started; `migrate`: who owns the schemas. */
  async databaseUrlOf(login: SchemaOwner | 'migrate'): Promise<string> {
    const service = login === 'migrate' ? undefined : login;
    return postgresUrl(await this.portOf('postgres', 'client'), await this.credentials(), service);
  }

  /** The Qdrant that the product has started, and the key that it wants to see. */
  async qdrant(): Promise<{ readonly url: string; readonly apiKey: string }> {
    const { qdrant: apiKey } = await this.credentials();
    return { url: qdrantUrl(await this.portOf('qdrant', 'http')), apiKey };
  }

  /** Kills one process without warning and waits until another has taken its place and is ready. */
  async kill(name: ProcessName): Promise<void> {
    const { pid } = await this.process(name);
    process.kill(pid, 'SIGKILL');
    const isReplaced = async (): Promise<boolean> => {
      const successor = await this.process(name);
      return successor.pid !== pid && successor.state === 'ready';
    };
    await eventually(isReplaced, { what: `${name} is back` });
  }

  /** Ends the product as Ctrl-C does; the data stay. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGINT');
    await ended;
  }

  /** Ends the product and removes its data. */
  async destroy(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async portOf(name: ProcessName, purpose: string): Promise<number> {
    const { ports } = await this.process(name);
    const port = ports[purpose];
    if (port === undefined) throw new Error(`${name} has no port ${purpose}.`);
    return port;
  }

  private async credentials(): Promise<Credentials> {
    return JSON.parse(await readFile(join(this.dataDir, 'credentials.json'), 'utf8')) as Credentials;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits for the last thing that a start prints. */
  private async welcomed(): Promise<void> {
    const isDone = (): boolean => this.hasEnded || this.output.includes('Ctrl-C stops everything');
    await eventually(isDone, { what: 'the start is complete', timeoutMs: START_MS });
    if (this.hasEnded) throw new Error('The command ended.');
  }
}
