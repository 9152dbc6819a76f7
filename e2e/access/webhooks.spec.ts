import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Loci as LociClient } from '@loci/client';
import { eventually, type Loci } from '@loci/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { keyedClient } from './keyed-client.js';
import { product } from './product.js';

interface Got {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let loci: Loci;
let receiver: Server;
let url: string;
let got: Got[] = [];
let isWell = true;

beforeAll(async () => {
  loci = await product();
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      got.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body });
      response.writeHead(isWell ? 204 : 503).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

beforeEach(() => {
  [got, isWell] = [[], true];
});

afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

async function administratorOf(org: string) {
  const { client, authorization } = await keyedClient(loci, org);
  await client.expect(201, '/projects', {});
  const connection = new LociClient({ url: loci.url, apiKey: authorization.slice('Bearer '.length) });
  return { client, connection };
}

async function addFeature({ client }: Awaited<ReturnType<typeof administratorOf>>): Promise<string> {
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  const feature = { set_id, category_name: 'profile', tag: 'food', feature: 'drink', value: 'tea' };
  return String((await client.expect(201, '/memories/semantic/feature', feature))['feature_id']);
}

const at = (path: string): Got[] => got.filter((one) => one.path === path);

test('a receiver gets the events of its organization, signed, those that it missed too, and no others', async () => {
  const [mine, others] = [await administratorOf('hooked'), await administratorOf('hooked-not')];
  const { id, secret } = await mine.connection.webhooks.create({
    url: `${url}/mine`,
    types: ['features.changed', 'project.deleted'],
  });
  await others.connection.webhooks.create({ url: `${url}/others` });
  isWell = false;
  const feature = await addFeature(mine);
  await eventually(async () => (await mine.connection.webhooks.get(id)).attempts > 0, { what: 'it fails' });
  expect(await mine.connection.webhooks.get(id)).toMatchObject({
    enabled: true,
    last_error: 'The receiver answered HTTP 503.',
    next_attempt_at: expect.any(String),
  });
  isWell = true;
  await mine.client.expect(204, '/projects/delete', {});
  const isDeleted = ({ body }: Got): boolean => body.includes('project.deleted');
  await eventually(() => at('/mine').some(isDeleted), { what: 'what waited and what followed came' });
  const verifier = new Verifier(secret);
  const events = at('/mine').map(({ body, headers }) => verifier.verify(body, headers));
  expect(events.at(-1)).toMatchObject({ org_id: 'hooked', data: { project_id: 'main' } });
  expect(events[0]).toMatchObject({ project_id: 'main', data: { added: [feature] } });
  expect(at('/others')).toEqual([]);
});

test('a key of a project sees its own webhooks alone, one of a producer only reads, readers see none', async () => {
  const admin = await administratorOf('hook-bounds');
  const { connection } = admin;
  const ofOrganization = await connection.webhooks.create({ url });
  const keyed = async (further: object, scopes: ('read' | 'write' | 'admin')[] = ['admin']) => {
    const { secret } = await connection.keys.create({ name: 'x', scopes, ...further });
    return new LociClient({ url: loci.url, apiKey: secret }).webhooks;
  };
  const ofProject = await keyed({ project: 'main' });
  const { id, project_id } = await ofProject.create({ url });
  expect(project_id).toBe('main');
  const listed = [];
  for await (const webhook of ofProject.list()) listed.push(webhook);
  expect(listed.map((webhook) => webhook.id)).toEqual([id]);
  await expect(ofProject.get(ofOrganization.id)).rejects.toMatchObject({ code: 'webhook_not_found' });
  await expect(ofProject.create({ url, project: 'another' })).rejects.toMatchObject({
    code: 'project_not_found',
  });
  const bound = await keyed({ producer: 'mira' });
  expect(await bound.get(id)).toMatchObject({ id });
  for (const attempt of [bound.create({ url }), bound.rotate(id), bound.remove(id), bound.test(id)]) {
    await expect(attempt).rejects.toMatchObject({ code: 'producer_not_allowed' });
  }
  await expect((await keyed({}, ['read', 'write'])).get(id)).rejects.toMatchObject({ code: 'forbidden' });
  expect(JSON.stringify(listed)).not.toContain('whsec_');
});

test('an address is stored as it is sent to; one that could be read in two ways is refused', async () => {
  const { webhooks } = (await administratorOf('hook-addresses')).connection;
  const made = await webhooks.create({ url: `${url.replace('http', 'HTTP')}/a/../b` });
  expect(made.url).toBe(`${url}/b`);
  expect(await webhooks.update(made.id, { url })).toMatchObject({ url: `${url}/` });
  const [, host = ''] = url.split('//');
  const inTwoWays = [`${url}/\r\nX: y`, `http:${host}/y`, `http:///${host}`, `${url}/a b`, `${url}\\@x`];
  for (const bad of [...inTwoWays, `http://${'a.'.repeat(130)}com/`, `http://${'a'.repeat(64)}.com/`]) {
    const refused = { status: 422, code: 'invalid_request' };
    await expect(webhooks.create({ url: bad })).rejects.toMatchObject(refused);
    await expect(webhooks.update(made.id, { url: bad })).rejects.toMatchObject(refused);
  }
});

test('what is killed in the middle of a delivery is delivered again, with the same id', async () => {
  const admin = await administratorOf('hook-killed');
  const { id } = await admin.connection.webhooks.create({
    url: `${url}/killed`,
    types: ['features.changed'],
  });
  isWell = false;
  const feature = await addFeature(admin);
  await eventually(() => at('/killed').length > 0, { what: 'it is tried' });
  await loci.kill('config-service');
  isWell = true;
  await loci.ready();
  await eventually(async () => (await admin.connection.webhooks.get(id)).last_delivered_at !== null, {
    what: 'it is taken',
  });
  const ids = new Set(at('/killed').map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(1);
  expect(at('/killed').at(-1)?.body).toContain(feature);
});
