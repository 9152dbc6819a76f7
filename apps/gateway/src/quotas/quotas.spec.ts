import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setConfigQuotas, setSemanticQuotas } from '@loci/contracts';
import { put, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.app.close());

test.each([
  ['misspelt', { project: 5 }, 'project'],
  ['nested as in the answer', { quotas: { projects: { limit: 5 } } }, 'quotas'],
  ['beside a known one', { projects: 5, key: 1 }, 'key'],
])('422: a quota that is %s resets none', async (_, limits, name) => {
  const problem = { loc: ['body', name], type: 'extra_forbidden' };
  expect(await put(gateway, '/api/v2/quotas', { org_id: 'acme', ...limits })).toMatchObject({
    status: 422,
    body: { detail: [problem] },
  });
  expect([...gateway.rpc.requests(setConfigQuotas), ...gateway.rpc.requests(setSemanticQuotas)]).toEqual([]);
});
