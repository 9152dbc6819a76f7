import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { toolCall } from '../answers/requests.js';
import { type Answer, Client, type Json, parse } from '../harness/client.js';
import { keyedClient } from './keyed-client.js';
import { adminKeyOf, product } from './product.js';

const ORG = 'frugal';
const SET = 'mem_project_set_mine';

let loci: Loci;
let rootKey: string;
/** Of the organization. */
let client: Client;
let authorization: string;

beforeAll(async () => {
  loci = await product();
  rootKey = `Bearer ${await adminKeyOf(loci)}`;
  ({ client, authorization } = await keyedClient(loci, ORG));
});

async function quotas(method: 'GET' | 'PUT', by: string, given: object): Promise<Answer> {
  const query = method === 'GET' ? `?${new URLSearchParams({ ...given }).toString()}` : '';
  const response = await fetch(`${loci.url}/api/v2/quotas${query}`, {
    method,
    headers: { authorization: by, 'content-type': 'application/json' },
    ...(method === 'PUT' && { body: JSON.stringify(given) }),
  });
  return { status: response.status, headers: response.headers, body: parse(await response.text()) };
}

const allow = async (limits: object): Promise<void> => {
  expect((await quotas('PUT', rootKey, { org_id: ORG, ...limits })).status).toBe(200);
};

const use = async (): Promise<Json> => (await quotas('GET', authorization, {})).body;

const addByTool = async (project: string): Promise<string> => {
  const { headers, body } = toolCall('add_memory', { proj_id: project, org_id: ORG, content: 'x' });
  const response = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.text();
};

describe('a quota', () => {
  test('of projects holds for every way to make one, however many come at once', async () => {
    await allow({ projects: 2 });
    const hosted = new Client(loci.url, client.project, { prefix: '/v2', headers: { authorization } });
    const answers = await Promise.all([
      ...['a', 'b', 'c'].map((project_id) => client.post('/projects', { project_id })),
      ...['d', 'e'].map((project_id) =>
        client.post('/memories', { project_id, messages: [{ content: 'x' }] }),
      ),
      hosted.post('/memories', { messages: [{ content: 'x' }] }),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(2);
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body).toMatchObject({ code: 'quota_exceeded', quota: 'projects', limit: 2, used: 2 });
    expect(refused[0]?.body['detail']).toContain('uses 2 of its quota of 2 projects');
    expect(await addByTool('f')).toContain('quota_exceeded');
    expect(await use()).toMatchObject({
      org_id: ORG,
      quotas: { projects: { limit: 2, used: 2, is_default: false }, keys: { used: 1, is_default: true } },
    });
    await allow({});
  });

  test('is for administrators of the deployment to set, and for the organization to see', async () => {
    const projectKey = await client.expect(201, '/keys', { name: 'p', scopes: ['admin'] });
    const ofProject = `Bearer ${String(projectKey['secret'])}`;
    const stranger = (await keyedClient(loci, 'wasteful')).authorization;
    const seen = [
      await quotas('PUT', authorization, { org_id: ORG, projects: 1_000_000 }),
      await quotas('GET', ofProject, {}),
      await quotas('GET', stranger, { org_id: ORG }),
      await quotas('GET', rootKey, { org_id: ORG }),
      await quotas('PUT', rootKey, { org_id: ORG, projects: -1 }),
    ];
    expect(seen.map(({ status }) => status)).toEqual([403, 403, 404, 200, 422]);
  });

  test('of keys and of categories refuses one more, and no other organization', async () => {
    await allow({ keys: 2, categories_per_set: 1 });
    const key = { name: 'k', scopes: ['read'], org_id: ORG };
    const category = (name: string) => ({ set_id: SET, category_name: name, prompt: 'p' });
    const wanted = [
      await client.post('/keys', key),
      await client.post('/memories/semantic/category', category('a')),
      await client.post('/memories/semantic/category', category('b')),
    ];
    expect(wanted.map(({ status }) => status)).toEqual([403, 201, 403]);
    const other = (await keyedClient(loci, 'thrifty')).client;
    await other.expect(201, '/keys', { ...key, org_id: 'thrifty' });
    await allow({});
  });

  test('of sets leaves messages waiting, which are taken up when it is raised', async () => {
    const { client: full, authorization: by } = await keyedClient(loci, 'full');
    const waiting = async (): Promise<unknown> => (await quotas('GET', by, {})).body['messages_waiting'];
    await quotas('PUT', rootKey, { org_id: 'full', sets: 0 });
    expect(await full.add(['kept'])).toHaveLength(1);
    await eventually(async () => (await waiting()) === 1, { what: 'the message that waits' });
    expect(await full.count()).toBe(1);
    const feature = { category_name: 'profile', tag: 't', feature: 'f', value: 'v' };
    const refused = await full.post('/memories/semantic/feature', { set_id: SET, ...feature });
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', quota: 'sets' });
    await quotas('PUT', rootKey, { org_id: 'full' });
    await eventually(async () => (await waiting()) === 0, { what: 'the message that is taken up' });
    const { body } = await full.ask('GET', '/ingestion/backlog');
    expect(Object.values(body)).toHaveLength(1);
  });
});
