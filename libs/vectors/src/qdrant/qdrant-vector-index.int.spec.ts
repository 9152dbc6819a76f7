import { afterAll, describe, expect, test } from '@jest/globals';
import { askTestQdrant, testQdrant } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { everything, point, vectorIndexConformance } from '../../test/vector-index-conformance.js';
import { QdrantVectorIndex, type QdrantVectorIndexOptions } from './qdrant-vector-index.js';

const settings: QdrantVectorIndexOptions = {
  ...testQdrant(),
  prefix: `test_${randomUUID()}`,
  fingerprint: 'model',
  dimensions: 4,
};
const ALICE = randomUUID();

const drop = (collection: string): Promise<Response> => askTestQdrant(`/collections/${collection}`, 'DELETE');

for (const [name, quantized] of [
  ['of vectors as they are', false],
  ['of quantized vectors', true],
] as const) {
  vectorIndexConformance(`a collection ${name}`, {
    open: (fingerprint) => new QdrantVectorIndex({ ...settings, quantized, fingerprint }),
    drop: async (index) => {
      await drop(index.collection);
    },
  });
}

describe('the collection', () => {
  test('is created once, by however many callers at once', async () => {
    const fresh = { ...settings, fingerprint: 'race' };
    const results = await Promise.all(
      Array.from({ length: 6 }, () => new QdrantVectorIndex(fresh).ensureCollection()),
    );
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    const late = new QdrantVectorIndex(fresh);
    expect(await late.ensureCollection()).toEqual({ created: false });
    await drop(late.collection);
  });

  test('has its indexes completed when a process gave up in between', async () => {
    const half = new QdrantVectorIndex({ ...settings, fingerprint: 'half' });
    const path = `/collections/${half.collection}`;
    await half.ensureCollection();
    await askTestQdrant(`${path}/index/tenant?wait=true`, 'DELETE');
    expect(await half.ensureCollection()).toEqual({ created: false });
    expect(await (await askTestQdrant(path)).json()).toMatchObject({
      result: {
        payload_schema: {
          tenant: { data_type: 'keyword', params: { is_tenant: true } },
          tokens: { data_type: 'keyword' },
          created_at: { data_type: 'datetime' },
        },
      },
    });
    await drop(half.collection);
  });
});

test('a collection of an earlier version, which counts words over all tenants, no longer does', async () => {
  const old = new QdrantVectorIndex({ ...settings, fingerprint: 'old' });
  await askTestQdrant(`/collections/${old.collection}`, 'PUT', {
    vectors: { dense: { size: 4, distance: 'Cosine' } },
    sparse_vectors: { bm25: { modifier: 'idf' } },
  });
  const [mine, other] = [point(), point()];
  await old.upsert(ALICE, [mine]);
  const scoreOf = async (): Promise<number | undefined> =>
    (await old.search(ALICE, everything)).sparse[0]?.score;
  const alone = await scoreOf();
  await old.upsert(randomUUID(), [other]);
  expect(await scoreOf()).not.toBe(alone);
  await old.ensureCollection();
  expect(await scoreOf()).toBe(1);
  await drop(old.collection);
});

describe('a server that is not there', () => {
  const unavailable = expect.objectContaining({ code: 'vector_index_unavailable', kind: 'unavailable' });
  const open: { server: Server; sockets: Set<Socket> }[] = [];

  async function serve(server: Server): Promise<QdrantVectorIndex> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    open.push({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new QdrantVectorIndex({
      ...settings,
      url: `http://127.0.0.1:${port}`,
      readTimeoutMs: 200,
      writeTimeoutMs: 300,
    });
  }

  async function verdicts(target: QdrantVectorIndex): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled([
      target.ensureCollection(),
      target.upsert(ALICE, [point()]),
      target.remove(ALICE, [randomUUID()]),
      target.removeTenant(ALICE),
      target.count(ALICE),
      target.search(ALICE, everything),
      target.scroll({ limit: 10 }),
      target.exists(),
      target.versions([randomUUID()]),
    ]);
  }

  const allUnavailable = Array.from({ length: 9 }, () => ({ status: 'rejected', reason: unavailable }));

  afterAll(() => {
    for (const { server, sockets } of open) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  test('is reported when it refuses connections', async () => {
    const server = createServer();
    const target = await serve(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await verdicts(target)).toEqual(allUnavailable);
    expect(await target.isReachable()).toBe(false);
  });

  test('is reported when it takes connections and stays silent', async () => {
    const target = await serve(createServer());
    expect(await verdicts(target)).toEqual(allUnavailable);
    expect(await target.isReachable()).toBe(false);
  });

  test.each([502, 503, 429, 401, 404])(
    'is not taken for a missing collection when a proxy answers %d',
    async (status) => {
      const proxy = createHttpServer((_, response) => {
        response.statusCode = status;
        response.end('no such upstream');
      });
      expect(await verdicts(await serve(proxy))).toEqual(allUnavailable);
    },
  );
});

test('a request whose connection was closed without an answer is sent again, once', async () => {
  const seen: string[] = [];
  const server = createHttpServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    seen.push(path);
    if (seen.filter((other) => other === path).length === 1) {
      request.socket.destroy();
      return;
    }
    const result = path.endsWith('/count') ? { count: 7 } : [{ points: [] }, { points: [] }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target = new QdrantVectorIndex({ ...settings, url: `http://127.0.0.1:${port}` });
  try {
    expect(await target.count(ALICE)).toBe(7);
    expect(seen).toHaveLength(2);
    expect(await target.search(ALICE, everything)).toMatchObject({ dense: [], sparse: [] });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the key goes with every request, and answers are asked for uncompressed', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createHttpServer(({ headers }, response) => {
    seen.push(headers);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const keyed = new QdrantVectorIndex({ ...settings, url: `http://127.0.0.1:${port}`, apiKey: 'secret' });
  await Promise.allSettled([
    keyed.count(ALICE),
    keyed.upsert(ALICE, [point()]),
    keyed.search(ALICE, everything),
  ]);
  server.closeAllConnections();
  server.close();
  const headers = expect.objectContaining({ 'api-key': 'secret', 'accept-encoding': 'identity' });
  expect(seen.length).toBeGreaterThanOrEqual(3);
  expect(seen).toEqual(seen.map(() => headers));
});
