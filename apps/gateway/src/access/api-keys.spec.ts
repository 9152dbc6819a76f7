import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  apiKeysChanged,
  listProjects,
  newApiKeySecret,
  timedOut,
  unavailable,
  verifyApiKeys,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const admin = { scopes: ['admin'], bounds: { orgId: 'acme' } } as const;

let gateway: TestGateway;
let keys: TestKeys;

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  gateway = await startTestGateway({ AUTH: 'on', ...settings });
  gateway.rpc.on(listProjects, () => ({ projects: [] }));
  keys = new TestKeys();
  keys.serve(gateway);
}

async function restart(settings: Readonly<Record<string, string>>): Promise<void> {
  await gateway.app.close();
  await start(settings);
}

beforeEach(() => start());

afterEach(() => gateway.app.close());

const statusWith = async (secret: string): Promise<number> =>
  (await post(gateway, '/api/v2/projects/list', undefined, bearer(secret))).status;

async function statusFrom(secret: string, remoteAddress: string): Promise<number> {
  const { statusCode } = await gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/list',
    remoteAddress,
    headers: bearer(secret),
  });
  return statusCode;
}

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

const askedDigests = (): string[] => gateway.rpc.requests(verifyApiKeys).flatMap(({ digests }) => digests);

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
    gateway.rpc.on(verifyApiKeys, (request) => {
      const early = keys.answer(request);
      return new Promise((resolve) => {
        answer = () => resolve(early);
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
    const secret = keys.add({ ...admin, expiresAt: new Date(Date.now() + 5_000).toISOString() });
    expect(await statusWith(secret)).toBe(200);
    keys.revoke(secret);
    await eventually(async () => (await statusWith(secret)) === 401, { what: 'the key is over' });
  });
});

describe('an unknown secret', () => {
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
});

describe('a flood of unknown secrets', () => {
  const flood = (count: number, from: (index: number) => string): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => statusFrom(newApiKeySecret(), from(index))));

  test('429: the config service is asked about so many of one address as are 401, and about no more', async () => {
    await restart({ AUTH_FAILURES_PER_MINUTE: '300' });
    // their answers are spaced out, a hundred a second
    const statuses = [...(await flood(400, () => '192.0.2.1')), ...(await flood(50, () => '192.0.2.1'))];
    expect(countOf(statuses, 401)).toBe(300);
    expect(countOf(statuses, 429)).toBe(150);
    expect(askedDigests()).toHaveLength(300);
    expect(await flood(1, () => '192.0.2.2')).toEqual([401]);
  });

  test('costs no valid key anything that comes from the same address, not even one that is new', async () => {
    await restart({ AUTH_FAILURES_PER_MINUTE: '10' });
    const [known, old] = [keys.add(admin), keys.add(admin, { isTagged: false })];
    expect(await Promise.all([known, old].map((secret) => statusFrom(secret, '192.0.2.1')))).toEqual([
      200, 200,
    ]);
    expect(countOf(await flood(100, () => '192.0.2.1'), 429)).toBe(90);
    gateway.events.interrupt();
    for (const secret of [known, old, keys.add(admin)]) {
      expect(await statusFrom(secret, '192.0.2.1')).toBe(200);
    }
  });

  test('IPv6 addresses of one network count together', async () => {
    await restart({ AUTH_FAILURES_PER_MINUTE: '5' });
    const statuses = await flood(20, (index) => `2001:db8::${index + 1}`);
    expect(countOf(statuses, 429)).toBe(15);
  });

  test('tokens of any other kind count, too; requests without one do not', async () => {
    await restart({ AUTH_FAILURES_PER_MINUTE: '5' });
    for (let turn = 0; turn < 10; turn += 1) {
      expect((await post(gateway, '/api/v2/projects/list')).status).toBe(401);
    }
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusWith('nonsense')));
    expect(countOf(statuses, 401)).toBe(5);
    const answer = await post(gateway, '/api/v2/projects/list', undefined, bearer('nonsense'));
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a gateway that knows no key yet', () => {
  test.each([true, false])(
    'lets in 1,000 distinct ones at once (tagged: %j), and asks a few times',
    async (isTagged) => {
      // a thousand requests let in at once wait for one another, and on a busy machine for a while
      await restart({ REQUEST_TIMEOUT_MS: '120000' });
      const secrets = Array.from({ length: 1_000 }, () => keys.add(admin, { isTagged }));
      const statuses = await Promise.all(secrets.map(statusWith));
      expect(countOf(statuses, 200)).toBe(1_000);
      expect(keys.asked).toBeLessThan(100);
    },
  );

  test('asks another replica when the one that it asked does not answer', async () => {
    let attempts = 0;
    gateway.rpc.on(verifyApiKeys, (request) => {
      attempts += 1;
      if (attempts === 1) throw timedOut('deadline_exceeded', 'No answer.');
      return keys.answer(request);
    });
    expect(await statusWith(keys.add(admin))).toBe(200);
  });
});

test('who rotates keys without a pause does not keep the gateway from remembering the keys of others', async () => {
  const secret = keys.add({ ...admin, id: ID });
  gateway.rpc.on(verifyApiKeys, (request) => {
    gateway.events.tell(apiKeysChanged, { id: ID.replace('0', '1') });
    return keys.answer(request);
  });
  for (let turn = 0; turn < 5; turn += 1) expect(await statusWith(secret)).toBe(200);
  expect(keys.asked).toBe(1);
});

test('a token longer than any is not looked at', async () => {
  expect(await statusWith('x'.repeat(9_000))).toBe(401);
});

test('503, not 401: it is not known at the moment whose key it is', async () => {
  gateway.rpc.on(verifyApiKeys, () => {
    throw unavailable('service_unavailable', 'Not there.');
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
  expect(gateway.rpc.requests(listProjects)).toEqual([{ orgId: 'acme', projectId: 'zeus' }]);
});

test('secrets never reach the log', async () => {
  const [known, unknown] = [keys.add(admin), newApiKeySecret()];
  await Promise.all([known, unknown].map(statusWith));
  const log = JSON.stringify(gateway.logger.lines);
  expect(log).not.toContain(known.slice(5, 20));
  expect(log).not.toContain(unknown.slice(5, 20));
});
