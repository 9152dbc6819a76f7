import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { toolCall } from '../answers/requests.js';
import { type Answer, Client, type Json, parse } from '../harness/client.js';
import { awayFromMidnight } from '../harness/midnight.js';
import { keyedClient } from './keyed-client.js';
import { adminKeyOf, product } from './product.js';
import { scribe, SCRIBE, TRIGGER } from './scribe.js';

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

  test('of set types refuses one more', async () => {
    await allow({ set_types: 1 });
    const type = (tag: string) => client.post('/memories/semantic/set_type', { metadata_tags: [tag] });
    expect([(await type('a')).status, (await type('a')).status]).toEqual([201, 201]);
    expect(await type('b')).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'set_types', limit: 1, used: 1 },
    });
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

  test('of model tokens is used up by calls, which the organization sees, and ends them for the day', async () => {
    await awayFromMidnight();
    const models = await scribe();
    const { client: learner, authorization: by } = await keyedClient(loci, 'talkative');
    await learner.expect(201, '/projects', {});
    const { set_id } = await learner.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    await learner.expect(204, '/memories/semantic/set/configure', { set_id, llm_name: SCRIBE });
    models.reply(/talkative/, { commands: [] });
    const messages = [{ content: 'The talkative parrot has a plan.' }];
    const wanted = { set_id, category_name: 'plans', prompt: 'Look for plans.', tags: {}, messages };
    // a service hears that a model is ready a moment after the answer to its registration
    const preview = (): Promise<Answer> =>
      eventually(
        async () => {
          const answer = await learner.post('/ingestion/preview', wanted);
          return answer.body['code'] !== 'resource_not_ready' && answer;
        },
        { what: 'the model is ready' },
      );
    const used = async (): Promise<{ calls: unknown; tokens: unknown }> => {
      const { quotas: all } = (await quotas('GET', by, {})).body as { quotas: Record<string, Json> };
      return { calls: all['model_calls_per_day']?.['used'], tokens: all['model_tokens_per_day']?.['used'] };
    };
    expect(await used()).toEqual({ calls: 0, tokens: 0 });
    let tokens = 0;
    for (const calls of [1, 2]) {
      const { status, body } = await preview();
      expect([status, body['calls']]).toEqual([200, 1]);
      tokens += Number(body['input_tokens']) + Number(body['output_tokens']);
      expect(await used()).toEqual({ calls, tokens });
    }
    expect(tokens).toBeGreaterThan(20);
    await quotas('PUT', rootKey, { org_id: 'talkative', model_tokens_per_day: tokens });
    const refused = await preview();
    expect(refused).toMatchObject({ status: 429, body: { code: 'model_quota_exceeded' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await learner.add(Array.from({ length: TRIGGER }, (_, n) => `A talkative parrot says ${n}.`));
    const waits = async (): Promise<boolean> =>
      JSON.stringify((await learner.ask('GET', '/ingestion/backlog')).body).includes('model_quota_exceeded');
    await eventually(waits, { what: 'the messages wait for another day' });
    expect(await used()).toEqual({ calls: 2, tokens });
    await quotas('PUT', rootKey, { org_id: 'talkative' });
  });
});
