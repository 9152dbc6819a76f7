import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { Client, type Json } from '../harness/client.js';
import { adminKeyOf, product } from './product.js';

/** Everything that was said. */
const ALL = `created_at >= date('2000-01-01')`;

let loci: Loci;
/** Of the organization, bound to no producer. */
let admin: Client;
/** Speaks for Mira. */
let ofMira: Client;
let keyOfMira: string;
let hers: string;
let bobs: string;

beforeAll(async () => {
  loci = await product();
});

beforeEach(async () => {
  const project = { org_id: 'bound-keys', project_id: randomUUID() };
  const clientOf = (key: string): Client =>
    new Client(loci.url, project, { headers: { authorization: `Bearer ${key}` } });
  admin = clientOf(await adminKeyOf(loci));
  const wanted = { ...project, name: 'Mira', scopes: ['admin'], producer: 'mira' };
  keyOfMira = String((await admin.expect(201, '/keys', wanted))['secret']);
  ofMira = clientOf(keyOfMira);
  [hers = ''] = await admin.add(['I sold the harmonica.'], { producer: 'mira' });
  // what is said in her name is not what she said
  [bobs = ''] = await admin.add(['Mira plays it at night.'], {
    producer: 'bob',
    metadata: { user_id: 'mira' },
  });
});

const left = async (): Promise<string[]> => (await admin.listAll()).map(({ uid }) => uid);

describe('a key that is bound to a producer deletes what that one said, and nothing of others', () => {
  test('by uid: theirs are as those that do not exist', async () => {
    const missing = randomUUID();
    const uids = [bobs, hers, missing];
    const answer = await ofMira.post('/memories/episodic/delete', { episodic_ids: uids });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'memory_not_found', not_found: [bobs, missing], deleted: [hers] },
    });
    expect(await left()).toEqual([bobs]);
    await admin.expect(204, '/memories/episodic/delete', { episodic_ids: [bobs] });
  });

  test('by a tool of MCP', async () => {
    const remove = async (uid: string): Promise<Json> => {
      const params = { name: 'delete_memory', arguments: { episodic_memory_uids: [uid] } };
      const response = await fetch(`${loci.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keyOfMira}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'org-id': admin.project.org_id,
          'proj-id': admin.project.project_id,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return ((await response.json()) as { result: Json }).result;
    };
    const refused = await remove(bobs);
    expect([refused['isError'], JSON.stringify(refused)]).toEqual([
      true,
      expect.stringContaining('memory_not_found'),
    ]);
    expect((await remove(hers))['isError']).toBeUndefined();
    expect(await left()).toEqual([bobs]);
  });

  test.each([ALL, `producer_id='bob' OR producer_id='mira'`, `NOT producer_id='nemo'`])(
    'by the filter %s, of which a preview says the same',
    async (filter) => {
      const preview = await ofMira.post('/memories/forget/preview', { filter });
      expect(preview).toMatchObject({ status: 200, body: { matching: 1 } });
      const started = await ofMira.expect(202, '/memories/forget', { filter, expected_matching: 1 });
      const job = await eventually(
        async () => {
          const { body } = await admin.ask('GET', `/memories/forget/${String(started['id'])}`);
          return body['state'] === 'done' ? body : undefined;
        },
        { what: 'the job is done' },
      );
      expect(job).toMatchObject({ matching: 1, deleted: 1 });
      expect(await left()).toEqual([bobs]);
      expect((await admin.post('/memories/forget/preview', { filter: ALL })).body).toMatchObject({
        matching: 1,
      });
    },
  );
});

const LETTER = `/ingestion/dead-letters/${randomUUID()}`;

/** What holds for all producers, of the project and of the deployment. */
const FOR_ALL: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', '/projects/delete', {}],
  ['PUT', '/projects/config', { embedder: null }],
  ['POST', '/memory/episodic/config', { ttl_seconds: 60 }],
  ['POST', '/memory/semantic/config', { trusted_producers: ['mira'] }],
  ['POST', '/ingestion/relearn', {}],
  ['POST', `${LETTER}/replay`, {}],
  ['POST', '/ingestion/dead-letters/replay', {}],
  ['DELETE', LETTER, {}],
  ['POST', '/memories/semantic/set_type', { metadata_tags: ['user_id'] }],
  ['PUT', '/config/memory/semantic', { ingestion_trigger_messages: 1 }],
  [
    'POST',
    '/config/resources/embedders',
    { name: 'hers', provider: 'ollama', config: { base_url: 'http://127.0.0.1:9', model: 'm' } },
  ],
  ['DELETE', '/config/resources/embedders/hers', {}],
  ['POST', '/config/resources/embedders/hers/retry', {}],
  ['PUT', '/quotas', { project_id: undefined, projects: 1 }],
];

test.each(FOR_ALL)('403: it does not decide for others by %s %s', async (method, path, body) => {
  const wanted = { org_id: null, project_id: null, name: 'Mira', scopes: ['admin'], producer: 'mira' };
  const { secret } = await admin.expect(201, '/keys', wanted);
  const inQuery = method === 'DELETE' ? `?${new URLSearchParams(admin.project).toString()}` : '';
  const answer = await fetch(`${loci.url}/api/v2${path}${inQuery}`, {
    method,
    headers: { authorization: `Bearer ${String(secret)}`, 'content-type': 'application/json' },
    ...(method !== 'DELETE' && { body: JSON.stringify({ ...admin.project, ...body }) }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    403,
    expect.objectContaining({ code: 'producer_not_allowed' }),
  ]);
});
