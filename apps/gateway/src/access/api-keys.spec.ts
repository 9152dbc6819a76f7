import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { apiKeysChanged, listProjects, newApiKeySecret, unavailable, verifyApiKey } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const admin = { scopes: ['admin'], bounds: { orgId: 'acme' } } as const;

let gateway: TestGateway;
let keys: TestKeys;

beforeEach(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  gateway.rpc.on(listProjects, () => ({ projects: [] }));
  keys = new TestKeys();
  keys.serve(gateway);
});

afterEach(() => gateway.app.close());

const statusWith = async (secret: string): Promise<number> =>
  (await post(gateway, '/api/v2/projects/list', undefined, bearer(secret))).status;

describe('a key that was verified', () => {
  test('is not asked about again', async () => {
    const secret = keys.add(admin);
    for (let turn = 0; turn < 5; turn += 1) expect(await statusWith(secret)).toBe(200);
    expect(keys.asked).toBe(1);
  });

  test('ends with the news that it was revoked', async () => {
    const [secret, other] = [
      keys.add({ ...admin, id: ID }),
      keys.add({ ...admin, id: ID.replace('0', '1') }),
    ];
    expect([await statusWith(secret), await statusWith(other)]).toEqual([200, 200]);
    keys.revoke(secret);
    expect(await statusWith(secret)).toBe(200);
    gateway.events.tell(apiKeysChanged, { id: ID });
    expect([await statusWith(secret), await statusWith(other)]).toEqual([401, 200]);
    expect(keys.asked).toBe(3);
  });

  test('is not remembered when the news came while it was asked about', async () => {
    const secret = keys.add({ ...admin, id: ID });
    let answer: (() => void) | undefined;
    gateway.rpc.on(verifyApiKey, () => {
      return new Promise((resolve) => {
        answer = () => resolve({ key: { ...admin, id: ID } });
      });
    });
    const early = statusWith(secret);
    await eventually(() => answer !== undefined, { what: 'the gateway asks' });
    gateway.events.tell(apiKeysChanged, { id: ID });
    answer?.();
    expect(await early).toBe(200);
    keys.revoke(secret);
    keys.serve(gateway);
    expect(await statusWith(secret)).toBe(401);
  });

  test('ends at its expiry without being asked about', async () => {
    const secret = keys.add({ ...admin, expiresAt: new Date(Date.now() + 150).toISOString() });
    expect(await statusWith(secret)).toBe(200);
    keys.revoke(secret);
    await eventually(async () => (await statusWith(secret)) === 401, { what: 'the key is over' });
  });
});

describe('a secret that nobody has', () => {
  test('is asked about once in a while only, however often it comes', async () => {
    const secret = newApiKeySecret();
    await Promise.all(Array.from({ length: 20 }, () => statusWith(secret)));
    expect(await statusWith(secret)).toBe(401);
    expect(keys.asked).toBe(1);
  });

  test('is not asked about at all when it cannot be one', async () => {
    for (const secret of ['x', 'loci_x', `loci_${'A'.repeat(48)}`])
      expect(await statusWith(secret)).toBe(401);
    expect(keys.asked).toBe(0);
  });

  test('429: a flood of them is turned away before the service drowns', async () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gateway.rpc.on(verifyApiKey, async () => {
      await released;
      return {};
    });
    const flood = Array.from({ length: 70 }, () => statusWith(newApiKeySecret()));
    await eventually(() => gateway.rpc.requests(verifyApiKey).length === 64, {
      what: 'all may ask that may',
    });
    release?.();
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 401)).toHaveLength(64);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  });
});

test('503, not 401: nobody can tell at the moment whose key it is', async () => {
  gateway.rpc.on(verifyApiKey, () => {
    throw unavailable('service_unavailable', 'Nobody there.');
  });
  expect(await statusWith(keys.add(admin))).toBe(503);
});

test('a list of projects has only what the key may see', async () => {
  const all = [
    { orgId: 'acme', projectId: 'apollo' },
    { orgId: 'acme', projectId: 'zeus' },
  ];
  gateway.rpc.on(listProjects, () => ({ projects: all }));
  const secret = keys.add({ scopes: ['read'], bounds: { orgId: 'acme', projectId: 'zeus' } });
  const { body } = await post(gateway, '/api/v2/projects/list', undefined, bearer(secret));
  expect(body).toEqual([{ org_id: 'acme', project_id: 'zeus' }]);
  expect(gateway.rpc.requests(listProjects)).toEqual([{ orgId: 'acme' }]);
});

test('secrets never reach the log', async () => {
  const [known, unknown] = [keys.add(admin), newApiKeySecret()];
  await Promise.all([known, unknown].map(statusWith));
  const log = JSON.stringify(gateway.logger.lines);
  expect(log).not.toContain(known.slice(5, 20));
  expect(log).not.toContain(unknown.slice(5, 20));
});
