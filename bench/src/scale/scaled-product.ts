import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, startServers, type Servers } from '@loci/runtime';
import { FakeModels, Loci } from '@loci/testing';
import pg from 'pg';
import { processorMs } from '../processor-time.js';
import { memoryOf, type Memory } from './memory.js';
import { type Scale } from './scale.js';
import { StatementLog } from './statement-log.js';
import { request } from './timed-requests.js';

/** Row security shows a connection nothing unless it says whose rows it is about. */
const EVERY_TENANT = '-c loci.scope=*';

const EMBEDDER = 'stand-in';
const LANGUAGE_MODEL = 'stand-in';

/** The product on a folder of its own, with a PostgreSQL beside it, whose processor time is not counted. */
export class ScaledProduct {
  private constructor(
    private readonly servers: Servers,
    private readonly models: FakeModels,
    readonly loci: Loci,
    readonly database: pg.Pool,
    readonly statements: StatementLog,
  ) {}

  /** @param env of the product, beyond what it is delivered with */
  static async start(
    folder: string,
    { quantized }: Scale,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ScaledProduct> {
    const models = await FakeModels.start({ port: await portOfStandIn(folder) });
    const servers = await startServers({
      dataDir: join(folder, 'servers'),
      durability: 'durable',
      only: ['postgres'],
    });
    const { databaseUrl } = servers;
    const loci = await Loci.start({
      dataDir: join(folder, 'loci'),
      env: { DATABASE_URL: databaseUrl, QDRANT_QUANTIZED: String(quantized), ...env },
      sweeps: 'as delivered',
    });
    const database = new pg.Pool({ connectionString: databaseUrl, options: EVERY_TENANT });
    return new ScaledProduct(servers, models, loci, database, new StatementLog(servers));
  }

  /** Vectors of so many dimensions, by a stand-in, for every project that is made from now on. */
  async embedWith(dimensions: number): Promise<void> {
    const config = { model: 'small', api_key: 'a-good-key', base_url: this.models.openAiUrl, dimensions };
    await this.configure('POST', 'resources/embedders', { name: EMBEDDER, provider: 'openai', config });
    await this.configure('PUT', 'memory/episodic/long_term', { embedder: EMBEDDER });
  }

  /** Sets that are due are claimed from now on. */
  async learn(): Promise<void> {
    const config = { model: 'small', api_key: 'a-good-key', base_url: this.models.openAiUrl };
    await this.configure('POST', 'resources/language_models', {
      name: LANGUAGE_MODEL,
      provider: 'openai-chat-completions',
      config,
    });
  }

  /** Of everything but PostgreSQL. */
  readonly spentMs = (): Promise<number | undefined> => processorMs(this.loci.pid);

  async qdrantMemory(): Promise<Memory> {
    return memoryOf((await this.loci.process('qdrant')).pid);
  }

  /** Stops everything; the data stay. */
  async stop(): Promise<void> {
    await this.database.end();
    await this.loci.stop();
    await this.servers.stop();
    await this.models.close();
  }

  private configure(method: string, path: string, body: object): Promise<unknown> {
    return request(method, `${this.loci.url}/api/v2/config/${path}`, body);
  }
}

/** The address of a model is part of what is stored, so that a second start needs the same. */
async function portOfStandIn(folder: string): Promise<number> {
  const note = join(folder, 'stand-in.port');
  const known = await readFile(note, 'utf8').catch(() => undefined);
  if (known !== undefined) return Number(known);
  const port = await freePort();
  await writeFile(note, String(port));
  return port;
}
