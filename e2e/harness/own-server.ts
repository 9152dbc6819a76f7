import { freePort, type ServerName, type Servers, startServers, type TlsFiles } from '@loci/runtime';
import { createTlsFiles, type OwnTlsFiles } from '@loci/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface OwnServerOptions {
  readonly name: ServerName;
  readonly dataDir: string;
  readonly port: number;
  readonly tls: TlsFiles;
}

const run = ({ name, dataDir, port, tls }: OwnServerOptions): Promise<Servers> =>
  startServers({ dataDir, durability: 'fast-for-tests', only: [name], ports: { [name]: port }, tls });

/** A server that the product does not supervise: it stays down until the test starts it again. It speaks TLS alone. */
export class OwnServer {
  private constructor(
    private readonly options: OwnServerOptions,
    private running: Servers,
  ) {}

  static async start(name: ServerName, tls: TlsFiles): Promise<OwnServer> {
    const dataDir = await mkdtemp(join(tmpdir(), `loci-${name}-`));
    const options = { name, dataDir, port: await freePort(), tls };
    return new OwnServer(options, await run(options));
  }

  get servers(): Servers {
    return this.running;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  async restart(): Promise<void> {
    this.running = await run(this.options);
  }

  async destroy(): Promise<void> {
    await this.stop();
    await rm(this.options.dataDir, { recursive: true, force: true });
  }
}

/** One of each, and the environment of a product that stands on them. */
export interface OwnServers {
  readonly nats: OwnServer;
  readonly postgres: OwnServer;
  readonly qdrant: OwnServer;
  readonly tls: OwnTlsFiles;
  readonly env: Readonly<Record<string, string>>;
}

export async function startOwnServers(): Promise<OwnServers> {
  const tls = await createTlsFiles();
  const [nats, postgres, qdrant] = await Promise.all([
    OwnServer.start('nats', tls),
    OwnServer.start('postgres', tls),
    OwnServer.start('qdrant', tls),
  ]);
  const env = {
    NODE_EXTRA_CA_CERTS: tls.authority,
    NATS_URL: nats.servers.natsUrl,
    DATABASE_URL: postgres.servers.databaseUrl,
    QDRANT_URL: qdrant.servers.qdrantUrl,
    QDRANT_API_KEY: qdrant.servers.qdrantApiKey ?? '',
  };
  return { nats, postgres, qdrant, tls, env };
}

export const destroyOwnServers = async ({ nats, postgres, qdrant, tls }: OwnServers): Promise<void> => {
  await Promise.all([nats, postgres, qdrant].map((server) => server.destroy()));
  await tls.destroy();
};
