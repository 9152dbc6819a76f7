import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { getEpisodicSettings, updateEpisodicSettings } from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const URL = '/api/v2/memory/episodic';
const TENANT = { org_id: 'acme', project_id: 'apollo' };
const tenant = { orgId: 'acme', projectId: 'apollo' };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

test.each([
  ['config/get', { enabled: true, long_term_memory_enabled: false, short_term_memory_enabled: true }],
  ['short_term/config/get', { enabled: true }],
  ['long_term/config/get', { enabled: false }],
])('200: %s', async (path, body) => {
  gateway.rpc.on(getEpisodicSettings, () => ({
    enabled: true,
    longTermEnabled: false,
    shortTermEnabled: true,
  }));
  expect(await post(gateway, `${URL}/${path}`, TENANT)).toMatchObject({ status: 200, body });
  expect(gateway.rpc.requests(getEpisodicSettings)).toEqual([{ tenant }]);
});

test.each<[string, object, object]>([
  ['config', { enabled: 'no' }, { enabled: false }],
  ['config', { long_term_memory_enabled: true, short_term_memory_enabled: null }, { longTermEnabled: true }],
  ['config', { short_term_memory_enabled: 0 }, { shortTermEnabled: false }],
  ['config', {}, {}],
  ['short_term/config', { enabled: true }, { shortTermEnabled: true }],
  ['short_term/config', { enabled: null }, {}],
  ['long_term/config', { enabled: false }, { longTermEnabled: false }],
])('204: %s %j changes that and leaves the rest', async (path, body, change) => {
  gateway.rpc.on(updateEpisodicSettings, () => ({}));
  expect(await post(gateway, `${URL}/${path}`, { ...TENANT, ...body })).toMatchObject({
    status: 204,
    body: undefined,
  });
  expect(JSON.parse(JSON.stringify(gateway.rpc.requests(updateEpisodicSettings)))).toEqual([
    { tenant, ...change },
  ]);
});
