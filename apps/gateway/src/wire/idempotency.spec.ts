import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addEpisodes,
  createProject,
  deleteProject,
  type IdempotencyToken,
  type Operation,
  removeEpisodes,
  updateEpisodicSettings,
} from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { readIdempotency } from './idempotency.decorator.js';

const TENANT = { org_id: 'acme', project_id: 'apollo' };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

const WRITES: [string, object, Operation<{ idempotency?: IdempotencyToken | undefined }, object>, object][] =
  [
    ['/api/v2/memories', { messages: [{ content: 'x' }] }, addEpisodes, { uids: ['u'] }],
    [
      '/api/v2/memories/episodic/delete',
      { episodic_id: 'x' },
      removeEpisodes,
      { deleted: ['x'], notFound: [] },
    ],
    ['/api/v2/projects', {}, createProject, { tenant: {}, config: {} }],
    ['/api/v2/projects/delete', {}, deleteProject, {}],
    ['/api/v2/memory/episodic/config', {}, updateEpisodicSettings, {}],
    ['/api/v2/memory/episodic/short_term/config', {}, updateEpisodicSettings, {}],
    ['/api/v2/memory/episodic/long_term/config', {}, updateEpisodicSettings, {}],
  ];

describe.each(WRITES)('%s', (path, body, operation, answer) => {
  test('passes on the key with a fingerprint of its body', async () => {
    gateway.rpc.on(operation, () => answer);
    const headers = { 'idempotency-key': `a key with spaces ${'x'.repeat(237)}` };
    expect((await post(gateway, path, { ...TENANT, ...body }, headers)).status).toBeLessThan(300);
    expect(gateway.rpc.requests(operation)[0]?.idempotency).toEqual({
      key: headers['idempotency-key'],
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('passes on nothing without a key', async () => {
    gateway.rpc.on(operation, () => answer);
    await post(gateway, path, { ...TENANT, ...body });
    expect(gateway.rpc.requests(operation)[0]?.idempotency).toBeUndefined();
  });
});

describe('the fingerprint', () => {
  async function fingerprintOf(body: string): Promise<string | undefined> {
    gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] }));
    await gateway.app.inject({
      method: 'POST',
      url: '/api/v2/memories',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
      payload: body,
    });
    return gateway.rpc.requests(addEpisodes).at(-1)?.idempotency?.fingerprint;
  }

  const body = '{"org_id":"acme","messages":[{"content":"a","role":"x"}]}';

  test('is the same for the same body, however it is written', async () => {
    const other = '{ "messages": [ {"role":"\\u0078", "content":"a"} ],\n "org_id":"acme" }';
    expect(await fingerprintOf(other)).toBe(await fingerprintOf(body));
  });

  test.each([
    ['another text', '{"org_id":"acme","messages":[{"content":"b","role":"x"}]}'],
    ['another project', '{"org_id":"acme","project_id":"p","messages":[{"content":"a","role":"x"}]}'],
    ['a field that we do not know', '{"org_id":"acme","messages":[{"content":"a","role":"x"}],"x":1}'],
    ['a key called __proto__', '{"org_id":"acme","messages":[{"content":"a","role":"x"}],"__proto__":{}}'],
  ])('differs for %s', async (_, other) => {
    expect(await fingerprintOf(other)).not.toBe(await fingerprintOf(body));
  });
});

test('a caller who is bound to a producer has keys of its own', () => {
  const keyOf = (producer: string | undefined): string | undefined => {
    const asked = {
      body: { content: 'x' },
      params: {},
      query: {},
      headers: { 'idempotency-key': 'retry-1' },
    };
    return readIdempotency({ ...asked, caller: { producer } })?.key;
  };
  expect(keyOf(undefined)).toBe('retry-1');
  expect(keyOf('alice')).toBe(keyOf('alice'));
  expect(new Set([undefined, 'alice', 'mallory'].map(keyOf)).size).toBe(3);
  expect(keyOf('x'.repeat(255))?.length).toBeLessThan(256);
});
