import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createApiKey, getApiKey, notFound, rotateApiKey } from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const SOON = new Date(Date.now() + 3_600_000).toISOString();
const LATER = new Date(Date.now() + 7_200_000).toISOString();

let gateway: TestGateway;
let keys: TestKeys;

beforeEach(async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  keys = new TestKeys();
  keys.serve(gateway);
  gateway.rpc
    .on(createApiKey, () => Promise.reject(new Error('asked')))
    .on(rotateApiKey, () => Promise.reject(new Error('asked')))
    .on(getApiKey, () => Promise.reject(notFound('api_key_not_found', 'none')));
});

afterEach(() => gateway.app.close());

/** @returns the status, and when the key that was asked for ends */
async function make(expiresAt: string | undefined, asked: string | undefined): Promise<unknown> {
  const maker = keys.add({ scopes: ['admin'], bounds: {}, expiresAt });
  const body = { name: 'k', scopes: ['read'], expires_at: asked };
  const { status, body: answer } = await post(gateway, '/api/v2/keys', body, bearer(maker));
  const [request] = gateway.rpc.requests(createApiKey);
  return request
    ? { ends: request.expiresAt && new Date(request.expiresAt).toISOString() }
    : { status, answer };
}

test.each([
  ['never, as its maker', undefined, undefined, undefined],
  ['when it is told to', undefined, LATER, LATER],
  ['with its maker, when it is not told', SOON, undefined, SOON],
  ['before its maker', LATER, SOON, SOON],
])('a key ends %s', async (_, maker, asked, ends) => {
  expect(await make(maker, asked)).toEqual({ ends });
});

test('422: a key that would outlive its maker', async () => {
  expect(await make(SOON, LATER)).toMatchObject({
    status: 422,
    answer: { detail: [{ loc: ['body', 'expires_at'], type: 'less_than_equal' }] },
  });
});

test('who rotates a key says when their own ends', async () => {
  const maker = keys.add({ scopes: ['admin'], bounds: {}, expiresAt: SOON });
  await post(gateway, '/api/v2/keys/x/rotate', {}, bearer(maker));
  expect(gateway.rpc.requests(rotateApiKey)).toMatchObject([{ id: 'x', callerEndsAt: SOON }]);
});

test('403: a former secret rotates no key, its own neither', async () => {
  const former = keys.add({ scopes: ['admin'], bounds: {}, expiresAt: SOON, isFormer: true });
  const answer = await post(gateway, '/api/v2/keys/x/rotate', {}, bearer(former));
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(gateway.rpc.requests(rotateApiKey)).toEqual([]);
});
