import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, type ServerName, type Servers, startServers } from '@loci/runtime';
import { eventually, Loci } from '@loci/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, Client } from './harness/client.js';

/** How soon a client learns that a server is down. */
const QUICK_MS = 5_000;

/** A server that the product does not supervise: it stays down until the test starts it again. */
class OwnServer {
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

const run = (name: ServerName, dataDir: string, port: number): Promise<Servers> =>
  startServers({ dataDir, durability: 'fast-for-tests', only: [name], ports: { [name]: port } });

let own: Record<ServerName, OwnServer>;
let loci: Loci;
let client: Client;

beforeAll(async () => {
  const [nats, postgres, qdrant] = await Promise.all([
    OwnServer.start('nats'),
    OwnServer.start('postgres'),
    OwnServer.start('qdrant'),
  ]);
  own = { nats, postgres, qdrant };
  loci = await Loci.start({
    env: {
      NATS_URL: nats.servers.natsUrl,
      DATABASE_URL: postgres.servers.databaseUrl,
      QDRANT_URL: qdrant.servers.qdrantUrl,
    },
  });
  client = new Client(loci.url, { org_id: 'acme', project_id: 'outage' });
  await client.add(['Something to remember.']);
});

afterAll(async () => {
  await loci.destroy();
  await Promise.all(Object.values(own).map((server) => server.destroy()));
});

const add = (): Promise<Answer> => client.post('/memories', { messages: [{ content: 'more' }] });
const search = (): Promise<Answer> =>
  client.post('/memories/search', { query: 'remember', types: ['episodic'] });
const list = (): Promise<Answer> => client.post('/memories/list', { type: 'episodic' });

describe('P7: a server that is down', () => {
  test.each([
    ['nats', [add, search, list]],
    ['postgres', [add, search, list]],
    ['qdrant', [search]],
  ] as const)(
    '%s: 503 with Retry-After, quickly, and all is well again by itself',
    async (name, affected) => {
      await own[name].stop();
      for (const request of affected) {
        const begun = performance.now();
        const answer = await request();
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(Object.keys(answer.body).sort()).toEqual(['code', 'detail']);
        expect(performance.now() - begun).toBeLessThan(QUICK_MS);
      }
      await eventually(async () => (await fetch(`${loci.url}/api/v2/health`)).status === 503, {
        what: 'health tells the truth',
      });
      await own[name].restart();
      await loci.ready();
      for (const request of [add, search, list]) {
        await eventually(async () => (await request()).status === 200, { what: 'everything works again' });
      }
    },
  );

  test('without Qdrant adds go on, and what was added meanwhile is found afterwards', async () => {
    await own.qdrant.stop();
    const [uid] = await client.add(['The zeppelin arrived during the outage.']);
    expect((await list()).status).toBe(200);
    await own.qdrant.restart();
    await loci.ready();
    await client.disableShortTerm();
    const found = await eventually(() => client.search('zeppelin', { top_k: 1 }), {
      what: 'search works again',
    });
    expect(found.longTerm.map((episode) => episode.uid)).toEqual([uid]);
  });
});
