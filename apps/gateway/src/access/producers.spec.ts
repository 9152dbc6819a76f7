import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { addEpisodes, type Author, createApiKey, importEpisodes } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const bounds = { orgId: 'acme', projectId: 'apollo' };
const PROJECT = { org_id: 'acme', project_id: 'apollo' };
const NOT_ALLOWED = { status: 403, body: { code: 'producer_not_allowed' } };

let gateway: TestGateway;
let keys: TestKeys;
let author: Author | undefined;

beforeEach(async () => {
  gateway = await startTestGateway({ AUTH: 'on', MM_USER_ID: 'environment' });
  author = undefined;
  gateway.rpc.on(addEpisodes, ({ episodes }) => {
    author = RequestContext.current()?.author;
    return { uids: episodes.map(() => 'uid') };
  });
  keys = new TestKeys();
  keys.serve(gateway);
});

afterEach(() => gateway.app.close());

const keyOf = (producer?: string): string =>
  keys.add({ scopes: ['admin'], bounds, name: 'Bot', id: ID, ...(producer && { producer }) });

const add = (key: string, messages: object[]): ReturnType<typeof post> =>
  post(gateway, '/api/v2/memories', { ...PROJECT, messages }, bearer(key));

const producersOf = (): unknown =>
  gateway.rpc
    .requests(addEpisodes)
    .at(-1)
    ?.episodes.map(({ producerId }) => producerId);

describe('a key that is bound to a producer', () => {
  test('says its own messages, whether they name it or not', async () => {
    const messages = [{ content: 'a' }, { content: 'b', producer: 'bot' }];
    expect(await add(keyOf('bot'), messages)).toMatchObject({ status: 200 });
    expect(producersOf()).toEqual(['bot', 'bot']);
  });

  test.each(['alice', 'user', 'Bot', 'bot ', ''])('403: says nothing as %j', async (producer) => {
    const messages = [{ content: 'a' }, { content: 'b', producer }];
    expect(await add(keyOf('bot'), messages)).toMatchObject(NOT_ALLOWED);
    expect(gateway.rpc.requests(addEpisodes)).toEqual([]);
  });

  test('403: imports no messages of others', async () => {
    gateway.rpc.on(importEpisodes, ({ episodes }) => ({ added: episodes.length }));
    const importLines = async (lines: object[]): Promise<number> => {
      const response = await gateway.app.inject({
        method: 'POST',
        url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
        headers: { ...bearer(keyOf('bot')), 'content-type': 'application/x-ndjson' },
        payload: lines.map((line) => JSON.stringify({ kind: 'episode', uid: 'u', ...line })).join('\n'),
      });
      return response.statusCode;
    };
    expect(await importLines([{ content: 'a' }, { content: 'b', producer_id: 'bot' }])).toBe(200);
    expect(gateway.rpc.requests(importEpisodes)[0]?.episodes).toMatchObject([
      { producerId: 'bot' },
      { producerId: 'bot' },
    ]);
    expect(await importLines([{ content: 'a' }, { content: 'b', producer_id: 'alice' }])).toBe(403);
  });

  test('is the user of its tools, and of no other', async () => {
    const call = async (given: object): Promise<unknown> => {
      const payload = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'add_memory', arguments: { content: 'x', ...given } },
      };
      const accept = { accept: 'application/json, text/event-stream' };
      const response = await gateway.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...bearer(keyOf('bot')), ...accept },
        payload,
      });
      return response.body;
    };
    await call({});
    expect(producersOf()).toEqual(['bot']);
    expect(await call({ user_id: 'alice' })).toContain('producer_not_allowed');
    expect(gateway.rpc.requests(addEpisodes)).toHaveLength(1);
  });

  test('403: makes no key that speaks for another, and one that names none is bound as it is', async () => {
    gateway.rpc.on(createApiKey, ({ name, scopes, bounds: within, producer }) => ({
      id: ID,
      name,
      scopes,
      bounds: within,
      producer,
      hint: 'h',
      createdAt: new Date().toISOString(),
    }));
    const make = (given: object): ReturnType<typeof post> =>
      post(gateway, '/api/v2/keys', { name: 'k', scopes: ['read'], ...given }, bearer(keyOf('bot')));
    expect(await make({ producer: 'alice' })).toMatchObject(NOT_ALLOWED);
    expect(await make({})).toMatchObject({ status: 201, body: { producer: 'bot' } });
    expect(await make({ producer: null })).toMatchObject({ status: 201, body: { producer: 'bot' } });
  });
});

test('a key that is bound to none speaks for any, by default for "user"', async () => {
  await add(keyOf(), [{ content: 'a' }, { content: 'b', producer: 'alice' }]);
  expect(producersOf()).toEqual(['user', 'alice']);
});

test('services hear with each request who writes', async () => {
  await add(keyOf(), [{ content: 'a' }]);
  expect(author).toEqual({ kind: 'api-key', id: ID, name: 'Bot' });
});
