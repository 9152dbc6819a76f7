import { afterEach, expect, test } from '@jest/globals';
import { listProjects } from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const admin = { scopes: ['admin'], bounds: {} } as const;
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

let gateway: TestGateway;

afterEach(() => gateway.app.close());

async function start(settings: Record<string, string>): Promise<TestKeys> {
  gateway = await startTestGateway(settings);
  gateway.rpc.on(listProjects, () => ({ projects: [] }));
  const keys = new TestKeys();
  keys.serve(gateway);
  return keys;
}

const list = (headers = {}) => post(gateway, '/api/v2/projects/list', undefined, headers);

test('429 with the time to wait for the key that asks too often, and for no other', async () => {
  const keys = await start({ AUTH: 'on', RATE_LIMIT_PER_MINUTE: '3' });
  const [busy, other] = [keys.add(admin), keys.add({ ...admin, id: ID.replace('0', '1') })];
  for (let turn = 0; turn < 3; turn += 1) expect((await list(bearer(busy))).status).toBe(200);
  const answer = await list(bearer(busy));
  expect(answer).toMatchObject({
    status: 429,
    body: { code: 'rate_limit_exceeded', detail: 'More than 3 requests in a minute; slow down.' },
  });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await list(bearer(other))).status).toBe(200);
});

test('without keys each client address is counted, and health never is', async () => {
  await start({ AUTH: 'off', RATE_LIMIT_PER_MINUTE: '1' });
  expect((await list()).status).toBe(200);
  expect((await list()).status).toBe(429);
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await gateway.app.inject('/health/live')).statusCode).toBe(200);
  }
});

test.each([{}, { AUTH: 'on', RATE_LIMIT_PER_MINUTE: '0' }])('%j: there is no limit', async (settings) => {
  const keys = await start(settings);
  const headers = bearer(keys.add(admin));
  const answers = await Promise.all(Array.from({ length: 50 }, () => list(headers)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(answers[0]?.headers['x-ratelimit-limit']).toBeUndefined();
});
