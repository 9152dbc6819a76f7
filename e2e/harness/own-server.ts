import { freePort, type ServerName, type Servers, startServers } from '@loci/runtime';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (name: ServerName, dataDir: string, port: number): Promise<Servers> =>
  startServers({ dataDir, durability: 'fast-for-tests', only: [name], ports: { [name]: port } });

/** A server that the product does not supervise: it stays down until the test starts it again. */
export class OwnServer {
  private constructor(
    private readonly name: ServerName,
    private readonly dataDir: string,
    private readonly port: number,
    private running: Servers,
  ) {}

  static async start(name: ServerName): Promise<OwnServer> {
    const dataDir = await mkdtemp(join(tmpdir(), `loci-${name}-`));
    const port = await freePort();
    return new OwnServer(name, dataDir, port, await run(name, dataDir, port));
  }

  get servers(): Servers {
    return this.running;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  async restart(): Promise<void> {
    this.running = await run(this.name, this.dataDir, this.port);
  }

  async destroy(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** One of each, and the environment of a product that stands on them. */
export interface OwnServers {
  readonly nats: OwnServer;
  readonly postgres: OwnServer;
  readonly qdrant: OwnServer;
  readonly env: Readonly<Record<string, string>>;
}

export async function startOwnServers(): Promise<OwnServers> {
  const [nats, postgres, qdrant] = await Promise.all([
    OwnServer.start('nats'),
    OwnServer.start('postgres'),
    OwnServer.start('qdrant'),
  ]);
  const env = {
    NATS_URL: nats.servers.natsUrl,
    DATABASE_URL: postgres.servers.databaseUrl,
    QDRANT_URL: qdrant.servers.qdrantUrl,
    QDRANT_API_KEY: qdrant.servers.qdrantApiKey ?? '',
  };
  return { nats, postgres, qdrant, env };
}

export const destroyOwnServers = async ({ nats, postgres, qdrant }: OwnServers): Promise<void> => {
  await Promise.all([nats, postgres, qdrant].map((server) => server.destroy()));
};
