import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { testFactory, noPeers } from '../../test/test-factory.js';

/** What the AWS SDK takes from the environment of a process by itself. */
const OF_PROCESS = {
  AWS_BEARER_TOKEN_BEDROCK: 'bearer-of-process',
  AWS_ACCESS_KEY_ID: 'id-of-process',
  AWS_SECRET_ACCESS_KEY: 'secret-of-process',
  AWS_SESSION_TOKEN: 'session-of-process',
};
const OWN = { aws_access_key_id: 'own-id', aws_secret_access_key: 'own-secret' };
const before = { ...process.env };

let server: Server;
let received: IncomingHttpHeaders[];

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    received.push(headers);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
  received = [];
  Object.assign(process.env, OF_PROCESS);
});

afterEach(() => {
  process.env = { ...before };
});

afterAll(() => {
  server.close();
});

const probe = (kind: 'language_model' | 'embedder' | 'reranker', account: object) => {
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const config = { region: 'us-east-1', model_id: 'cohere.embed-english-v3', endpoint, ...account };
  return testFactory().probe({ kind, name: 'foreign', provider: 'amazon-bedrock', config }, noPeers);
};

const KINDS = ['language_model', 'embedder', 'reranker'] as const;

test.each(KINDS)('a %s at another address does not get the credentials of the process', async (kind) => {
  const result = await probe(kind, {});
  expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('addresses of AWS alone') });
  expect(received).toEqual([]);
});

test.each(KINDS)('a %s with credentials of its own sends these and no others', async (kind) => {
  expect(await probe(kind, OWN)).toMatchObject({ ok: false });
  expect(received).toHaveLength(1);
  expect(JSON.stringify(received)).toContain('own-id');
  expect(JSON.stringify(received)).not.toContain('of-process');
});

test.each(['https://example.com', 'https://amazonaws.com.example.com', 'https://notamazonaws.com'])(
  '%s is no address of AWS',
  async (endpoint) => {
    expect(await probe('language_model', { endpoint })).toMatchObject({
      reason: expect.stringContaining('addresses of AWS alone'),
    });
  },
);
