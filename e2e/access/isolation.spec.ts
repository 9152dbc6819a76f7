import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { type Answer, Client, type Json, TIMEOUT_MS } from '../harness/client.js';
import {
  type Belongings,
  HOSTILE_FILTERS,
  ISOLATION_REQUESTS,
  ISOLATION_ROWS,
  type IsolationRequest,
  type NamedProject,
} from '../harness/isolation.js';
import { adminKeyOf, product } from './product.js';

const VICTIM = { org_id: 'victim', project_id: 'vault' };
const MALLORY = { org_id: 'mallory', project_id: 'den' };
const NOBODY = { org_id: 'nobody', project_id: 'vault' };
const TREASURE = 'The treasure lies under the old oak.';

let loci: Loci;
let victim: Client;
let mallory: Client;
/** Of the victim. */
let belongings: Belongings;
let keyOfMallory: string;

beforeAll(async () => {
  loci = await product();
  const adminKey = await adminKeyOf(loci);
  const admin = new Client(loci.url, VICTIM, { headers: { authorization: `Bearer ${adminKey}` } });
  const keyFor = async (project: NamedProject): Promise<string> => {
    const wanted = { ...project, name: 'all', scopes: ['admin'], project_id: null };
    return String((await admin.expect(201, '/keys', wanted))['secret']);
  };
  const clientWith = (project: NamedProject, key: string): Client =>
    new Client(loci.url, project, { headers: { authorization: `Bearer ${key}` } });
  keyOfMallory = await keyFor(MALLORY);
  mallory = clientWith(MALLORY, keyOfMallory);
  victim = clientWith(VICTIM, await keyFor(VICTIM));
  await mallory.expect(201, '/projects', {});
  const message = { producer: 'victim', metadata: { owner: 'victim' } };
  const body = { messages: [{ content: TREASURE, ...message }] };
  const added = await victim.expect(200, '/memories', body, { 'idempotency-key': 'the key of the victim' });
  const episode = (added['results'] as { uid: string }[])[0]?.uid ?? '';
  belongings = { episode, ...(await teach(victim, episode)) };
});

/** Makes one of everything that semantic memory has. */
async function teach(client: Client, episode: string): Promise<Omit<Belongings, 'episode'>> {
  const made = async (path: string, body: object, field: string, status = 201): Promise<string> =>
    String((await client.expect(status, `/memories/semantic${path}`, body))[field]);
  const set = await made('/set_id/get', { metadata_tags: [] }, 'set_id', 200);
  const orgSet = await made('/set_id/get', { metadata_tags: [], is_org_level: true }, 'set_id', 200);
  const setType = await made('/set_type', { metadata_tags: ['owner'], name: 'Owners' }, 'set_type_id');
  const own = { set_id: orgSet, category_name: 'secrets', prompt: 'Secrets.' };
  const category = await made('/category', own, 'category_id');
  const inherited = { set_type_id: setType, category_name: 'habits', prompt: 'Habits.' };
  const template = await made('/category/template', inherited, 'category_id');
  const named = { category_id: category, tag_name: 'places', tag_description: 'Where.' };
  const tag = await made('/category/tag', named, 'tag_id');
  const known = { set_id: set, category_name: 'profile', tag: 'Place', feature: 'treasure', value: TREASURE };
  const feature = await made('/feature', { ...known, citations: [episode] }, 'feature_id');
  return { feature, set, orgSet, setType, category, template, tag };
}

/** Ids of the same kinds that do not exist. */
const unknownIds = (): Belongings => ({
  episode: randomUUID(),
  feature: randomUUID(),
  setType: randomUUID(),
  category: randomUUID(),
  template: randomUUID(),
  tag: randomUUID(),
  set: belongings.set.replaceAll('victim', 'nobody'),
  orgSet: belongings.orgSet.replaceAll('victim', 'nobody'),
});

/** An answer without what differs between any two requests, and without the names that were asked for. */
const shapeOf = ({ status, body }: { status: number; body: Json }, ...names: readonly string[]): object => ({
  status,
  body: names.reduce((text, name) => text.replaceAll(name, '…'), JSON.stringify(body)),
});

describe.each(ISOLATION_ROWS)('$path', ({ method, path, body, missing, makes }) => {
  const call = (fields: object): Promise<Answer> =>
    method ? mallory.ask(method, path, { ...fields }) : mallory.post(path, fields);

  test('another tenant’s project looks like one that does not exist', async () => {
    const theirs = await call({ ...body(belongings), ...VICTIM });
    const ofUnknown = await call({ ...body(belongings), ...NOBODY });
    expect(theirs.status).toBe(404);
    expect(shapeOf(theirs, 'victim')).toEqual(shapeOf(ofUnknown, 'nobody'));
  });

  if (missing === undefined) return;
  test('another tenant’s id looks like one that does not exist', async () => {
    const unknown = unknownIds();
    const theirs = await call(body(belongings));
    const ofUnknown = await call(body(unknown));
    expect(theirs.status).toBe(missing);
    const made = [theirs, ofUnknown].flatMap((answer) => (makes ? String(answer.body[makes]) : []));
    const both = [belongings, unknown]
      .flatMap((ids) => Object.values({ ...ids }))
      .flatMap((id) => [id, id.toUpperCase()])
      .concat(made);
    expect(shapeOf(theirs, ...both)).toEqual(shapeOf(ofUnknown, ...both));
  });
});

test.each(ISOLATION_REQUESTS)(
  '$name of another tenant’s project looks like that of one that does not exist',
  async (row) => {
    const theirs = await send(row, VICTIM);
    const ofUnknown = await send(row, NOBODY);
    expect(JSON.stringify(theirs.body)).toContain('project_not_found');
    expect(shapeOf(theirs, 'victim')).toEqual(shapeOf(ofUnknown, 'nobody'));
  },
);

async function send(
  { path, method, type = 'application/json', body }: IsolationRequest,
  project: NamedProject,
): Promise<{ status: number; body: Json }> {
  const answer = await fetch(`${loci.url}${path(project)}`, {
    method,
    headers: {
      authorization: `Bearer ${keyOfMallory}`,
      accept: 'application/json, text/event-stream',
      ...(body && { 'content-type': type }),
    },
    ...(body && { body: JSON.stringify(body(project)) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

test.each(HOSTILE_FILTERS)('the filter %s finds nothing of another tenant', async (filter) => {
  for (const [path, body] of [
    ['/memories/search', { query: TREASURE, filter }],
    ['/memories/list', { filter }],
  ] as const) {
    const answer = await mallory.post(path, body);
    expect([200, 422]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toMatch(/treasure lies|oak/);
    expect(JSON.stringify(answer.body)).not.toContain(belongings.episode);
  }
});

test('nothing but the body names a project: neither headers nor the query', async () => {
  const headers = {
    'x-org-id': 'victim',
    'x-project-id': 'vault',
    'x-tenant': 'victim/vault',
    org_id: 'victim',
  };
  const answer = await mallory.post('/memories/list?org_id=victim&project_id=vault', {}, headers);
  expect(answer).toMatchObject({ status: 200, body: { content: { episodic_memory: [] } } });
});

test('under the hosted prefix a project of the same name is one’s own, whatever the body says', async () => {
  const headers = { authorization: `Bearer ${keyOfMallory}` };
  const hosted = new Client(loci.url, VICTIM, { prefix: '/v2', headers });
  expect((await hosted.post('/projects/get', {})).status).toBe(404);
  expect(await hosted.list()).toEqual([]);
});

test('the Idempotency-Key of another tenant opens nothing of theirs', async () => {
  const body = { messages: [{ content: TREASURE, producer: 'victim', metadata: { owner: 'victim' } }] };
  const headers = { 'idempotency-key': 'the key of the victim' };
  const mine = await mallory.expect(200, '/memories', body, headers);
  expect(JSON.stringify(mine)).not.toContain(belongings.episode);
  expect((await mallory.post('/memories', { ...body, ...VICTIM }, headers)).status).toBe(404);
  expect(JSON.stringify(await victim.expect(200, '/memories', body, headers))).toContain(belongings.episode);
});

test('a list of projects has one’s own only', async () => {
  expect(await mallory.expect(200, '/projects/list', {})).toEqual([MALLORY]);
});

test('after all of this the victim has what it had', async () => {
  expect((await victim.list()).map(({ content }) => content)).toEqual([TREASURE]);
  expect((await victim.search('treasure')).shortTerm.map(({ uid }) => uid)).toEqual([belongings.episode]);
  const { value, metadata } = await victim.expect(200, '/memories/semantic/feature/get', {
    feature_id: belongings.feature,
    load_citations: true,
  });
  expect({ value, metadata }).toEqual({
    value: TREASURE,
    metadata: { id: belongings.feature, citations: [belongings.episode] },
  });
  expect(await victim.expect(200, '/memory/episodic/config/get', {})).toEqual({
    enabled: true,
    long_term_memory_enabled: true,
    short_term_memory_enabled: true,
  });
});
