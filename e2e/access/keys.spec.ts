import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Loci as LociClient } from '@loci/client';
import { eventually, type Loci } from '@loci/testing';
import { Client, type Json, parse } from '../harness/client.js';
import { msUntil } from '../harness/ms-until.js';
import { loseMessageOf } from '../harness/streams.js';
import { adminKeyFile, adminKeyOf, product } from './product.js';

const PROJECT = { org_id: 'acme', project_id: 'apollo' };
const SECOND_MS = 1_000;

let loci: Loci;
let adminKey: string;

beforeAll(async () => {
  loci = await product();
  adminKey = await adminKeyOf(loci);
});

const clientOf = (key: string): Client =>
  new Client(loci.url, PROJECT, { headers: { authorization: `Bearer ${key}` } });

async function request(method: string, path: string, key: string): Promise<{ status: number; body: Json }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${loci.url}/api/v2${path}`, { method, headers });
  return { status: response.status, body: parse(await response.text()) };
}

const makeKey = (scopes: readonly string[], further: object = {}): Promise<Json> =>
  clientOf(adminKey).expect(201, '/keys', { name: 'a key', scopes, ...further });

const textOf = (key: Json, field: string): string => String(key[field]);

const canRead = async (secret: string): Promise<boolean> => {
  const { status } = await clientOf(secret).post('/memories/list', {});
  if (status !== 200 && status !== 401) throw new Error(`Neither let in nor turned away: ${status}`);
  return status === 200;
};

/** How long a key goes on opening the door. */
const msUntilRefused = (isLetIn: () => Promise<boolean>): Promise<number> =>
  msUntil(async () => !(await isLetIn()), 'the key is refused');

/** Sends the head of a request, which is answered when its body is given. */
async function openRequest(
  path: string,
  secret: string,
): Promise<(body: Json) => Promise<number | undefined>> {
  const sent = httpRequest(`${loci.url}/api/v2${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  });
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await once(sent, 'continue');
  return async (body) => {
    sent.end(JSON.stringify(body));
    const [{ statusCode }] = await answer;
    return statusCode;
  };
}

test('the first start makes a key that may do everything, for its owner’s eyes only, and says where it is', async () => {
  const path = adminKeyFile(loci);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(loci.printed).toContain(path);
  expect(loci.printed).not.toContain(adminKey);
  expect((await clientOf(adminKey).post('/projects', {})).status).toBe(201);
  expect((await fetch(`${loci.url}/api/v2/health`)).status).toBe(200);
  expect((await new Client(loci.url, PROJECT).post('/memories/list', {})).status).toBe(401);
});

describe('an API key', () => {
  test('opens what it says, is shown once, and is listed without its secret', async () => {
    const made = await makeKey(['read']);
    const secret = textOf(made, 'secret');
    expect(made).toMatchObject({ ...PROJECT, scopes: ['read'], expires_at: null });
    expect(await canRead(secret)).toBe(true);
    expect((await clientOf(secret).post('/memories', { messages: [{ content: 'x' }] })).status).toBe(403);
    const { status, body } = await request('GET', '/keys', adminKey);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain(textOf(made, 'id'));
    expect(JSON.stringify(body)).not.toContain(secret.slice(0, 20));
    const hint = textOf(made, 'hint');
    expect(secret.startsWith(hint)).toBe(true);
    expect(hint).toHaveLength('loci_'.length + 6);
  });

  test('that is revoked is refused within a second, and for ever', async () => {
    const made = await makeKey(['read']);
    const secret = textOf(made, 'secret');
    expect(await canRead(secret)).toBe(true);
    expect((await request('DELETE', `/keys/${textOf(made, 'id')}`, adminKey)).status).toBe(204);
    expect(await msUntilRefused(() => canRead(secret))).toBeLessThan(SECOND_MS);
    expect(await request('DELETE', `/keys/${textOf(made, 'id')}`, adminKey)).toMatchObject({
      status: 404,
      body: { code: 'api_key_not_found' },
    });
    await loci.kill('gateway');
    expect(await canRead(secret)).toBe(false);
  });

  test('that is revoked while the body of a request is on its way carries nothing out', async () => {
    const made = await makeKey(['admin']);
    const secret = textOf(made, 'secret');
    const makeAnother = await openRequest('/keys', secret);
    const add = await openRequest('/memories', secret);
    expect((await request('DELETE', `/keys/${textOf(made, 'id')}`, adminKey)).status).toBe(204);
    const revokedAt = performance.now();
    await eventually(() => performance.now() - revokedAt > SECOND_MS, { what: 'a second is over' });
    expect(await makeAnother({ ...PROJECT, name: 'another', scopes: ['admin'] })).toBe(401);
    expect(await add({ ...PROJECT, messages: [{ content: 'too late' }] })).toBe(401);
  });

  test('that is rotated has a new secret at once; the old one ends now, or after the grace', async () => {
    const made = await makeKey(['read']);
    const rotate = (grace_seconds: number) =>
      clientOf(adminKey).expect(200, `/keys/${textOf(made, 'id')}/rotate`, { grace_seconds });
    const first = textOf(made, 'secret');
    const second = textOf(await rotate(60), 'secret');
    expect(await canRead(second)).toBe(true);
    expect(await canRead(first)).toBe(true);
    const third = textOf(await rotate(0), 'secret');
    expect(await canRead(third)).toBe(true);
    expect(await msUntilRefused(() => canRead(first))).toBeLessThan(SECOND_MS);
    expect(await msUntilRefused(() => canRead(second))).toBeLessThan(SECOND_MS);
    const fourth = textOf(await rotate(1), 'secret');
    await eventually(async () => !(await canRead(third)), { what: 'the grace is over' });
    expect(await canRead(fourth)).toBe(true);
  });

  test('says until when its former secret is valid, as long as it is', async () => {
    const made = await makeKey(['read']);
    const { id } = made;
    const listed = async (): Promise<unknown> => {
      const keys = (await request('GET', '/keys?page_size=1000', adminKey))
        .body as unknown as readonly Json[];
      return keys.find((key) => key['id'] === id)?.['former_valid_until'];
    };
    expect([made['former_valid_until'], await listed()]).toEqual([undefined, undefined]);
    const rotate = (grace_seconds: number) =>
      clientOf(adminKey).expect(200, `/keys/${textOf(made, 'id')}/rotate`, { grace_seconds });
    const rotated = await rotate(3600);
    const graceMs =
      Date.parse(textOf(rotated, 'former_valid_until')) - Date.parse(textOf(rotated, 'rotated_at'));
    expect(graceMs).toBe(3600 * SECOND_MS);
    expect(await listed()).toBe(rotated['former_valid_until']);
    expect([(await rotate(0))['former_valid_until'], await listed()]).toEqual([undefined, undefined]);
  });

  test('is not rotated by its former secret, nor by a key that ends sooner', async () => {
    const made = await makeKey(['admin', 'read']);
    const rotate = (key: string) => clientOf(key).post(`/keys/${textOf(made, 'id')}/rotate`, {});
    const { body: rotated } = await clientOf(adminKey).post(`/keys/${textOf(made, 'id')}/rotate`, {
      grace_seconds: 60,
    });
    const former = textOf(made, 'secret');
    expect(await canRead(former)).toBe(true);
    expect(await rotate(former)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const brief = await makeKey(['admin'], { expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect(await rotate(textOf(brief, 'secret'))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await canRead(textOf(rotated, 'secret'))).toBe(true);
    const renewed = await clientOf(textOf(brief, 'secret')).post(`/keys/${textOf(brief, 'id')}/rotate`, {});
    expect(renewed).toMatchObject({ status: 200, body: { expires_at: brief['expires_at'] } });
  });

  test('is revoked by its former secret while that works, and then neither of the two does', async () => {
    const made = await makeKey(['admin', 'read']);
    const path = `/keys/${textOf(made, 'id')}`;
    const { body: rotated } = await clientOf(adminKey).post(`${path}/rotate`, { grace_seconds: 60 });
    expect((await request('DELETE', path, textOf(made, 'secret'))).status).toBe(204);
    for (const key of [made, rotated]) {
      expect(await msUntilRefused(() => canRead(textOf(key, 'secret')))).toBeLessThan(SECOND_MS);
    }
  });

  test('that has ended leaves its webhooks, which are listed, and audited under its name', async () => {
    const made = await makeKey(['admin'], { ...PROJECT });
    const body = { ...PROJECT, url: 'https://example.com/left' };
    const webhook = await clientOf(textOf(made, 'secret')).expect(201, '/webhooks', body);
    expect((await request('DELETE', `/keys/${textOf(made, 'id')}`, adminKey)).status).toBe(204);
    const listed = await request('GET', `/webhooks/${textOf(webhook, 'id')}`, adminKey);
    expect(listed).toMatchObject({ status: 200, body: { url: body.url } });
    const audited = await request('GET', `/audit?org_id=acme&actor=${textOf(made, 'id')}`, adminKey);
    expect(audited.body).toEqual(
      expect.arrayContaining([expect.objectContaining({ resources: [textOf(webhook, 'id')] })]),
    );
    expect((await request('DELETE', `/webhooks/${textOf(webhook, 'id')}`, adminKey)).status).toBe(204);
  });

  test('that has expired is not rotated', async () => {
    const made = await makeKey(['read'], { expires_at: new Date(Date.now() + 5_000).toISOString() });
    await eventually(async () => !(await canRead(textOf(made, 'secret'))), { what: 'the key is over' });
    expect(await clientOf(adminKey).post(`/keys/${textOf(made, 'id')}/rotate`, {})).toMatchObject({
      status: 409,
      body: { code: 'api_key_expired' },
    });
  });

  test('of a project ends with it within a second, and does not open the next one of its name', async () => {
    const doomed = { org_id: 'acme', project_id: 'doomed' };
    const on = (secret: string): Client =>
      new Client(loci.url, doomed, { headers: { authorization: `Bearer ${secret}` } });
    await on(adminKey).add(['of the first']);
    const secret = textOf(await makeKey(['read', 'write'], doomed), 'secret');
    const ofAnother = textOf(await makeKey(['read']), 'secret');
    const isLetIn = async (): Promise<boolean> =>
      (await on(secret).post('/memories/list', {})).status !== 401;
    expect(await on(secret).count()).toBe(1);
    await on(adminKey).expect(204, '/projects/delete', {});
    expect(await msUntilRefused(isLetIn)).toBeLessThan(SECOND_MS);
    await eventually(async () => (await on(adminKey).post('/projects', {})).status === 201, {
      what: 'the name is free again',
    });
    expect((await on(secret).post('/memories', { messages: [{ content: 'x' }] })).status).toBe(401);
    expect(await canRead(ofAnother)).toBe(true);
    const next = textOf(await makeKey(['read'], doomed), 'secret');
    expect(await on(next).count()).toBe(0);
  });

  test('that is bound to a producer revokes no key that is not', async () => {
    const bound = textOf(await makeKey(['admin'], { producer: 'bot' }), 'secret');
    const revoke = async (further: object) =>
      request('DELETE', `/keys/${textOf(await makeKey(['read'], further), 'id')}`, bound);
    for (const further of [{}, { producer: 'boss' }])
      expect(await revoke(further)).toMatchObject({ status: 403, body: { code: 'producer_not_allowed' } });
    expect((await revoke({ producer: 'bot' })).status).toBe(204);
    const unbound = await makeKey(['read']);
    await request('DELETE', `/keys/${textOf(unbound, 'id')}`, bound);
    expect(await canRead(textOf(unbound, 'secret'))).toBe(true);
  });

  test('that is bound to a producer gives no other key a secret that it would then hold', async () => {
    const bound = textOf(await makeKey(['admin'], { producer: 'bot' }), 'secret');
    const rotate = async (further: object) =>
      clientOf(bound).post(`/keys/${textOf(await makeKey(['read'], further), 'id')}/rotate`, {});
    for (const further of [{}, { producer: 'boss' }])
      expect(await rotate(further)).toMatchObject({ status: 403, body: { code: 'producer_not_allowed' } });
    expect((await rotate({ producer: 'bot' })).status).toBe(200);
    const unbound = await makeKey(['read']);
    await clientOf(bound).post(`/keys/${textOf(unbound, 'id')}/rotate`, {});
    expect(await canRead(textOf(unbound, 'secret'))).toBe(true);
  });

  test('is made once for one Idempotency-Key, and its secret is not kept for the second answer', async () => {
    const body = { name: 'once', scopes: ['read'] };
    const headers = { 'idempotency-key': 'make it once' };
    const first = await clientOf(adminKey).expect(201, '/keys', body, headers);
    const second = await clientOf(adminKey).expect(201, '/keys', body, headers);
    expect(first['secret']).toMatch(/^loci_/);
    expect(second).toEqual({ ...first, secret: null });
  });

  test('of an administrator reaches no further than its own bounds', async () => {
    const own = textOf(await makeKey(['admin'], { project_id: null }), 'secret');
    const foreign = await makeKey(['read'], { org_id: 'globex' });
    expect(
      (await clientOf(own).post('/keys', { name: 'x', scopes: ['admin'], org_id: 'globex' })).status,
    ).toBe(404);
    expect((await request('DELETE', `/keys/${textOf(foreign, 'id')}`, own)).status).toBe(404);
    expect(JSON.stringify((await request('GET', '/keys', own)).body)).not.toContain('globex');
    expect((await clientOf(own).post('/keys', { name: 'x', scopes: ['read'] })).status).toBe(201);
  });
});

test('an administrator reads who did what to which memory, of their own organization only', async () => {
  const admin = await makeKey(['admin'], { project_id: null });
  const [uid] = await clientOf(textOf(admin, 'secret')).add(['A thought that no other tenant may read.']);
  await makeKey(['read'], { org_id: 'globex' });
  const read = () => request('GET', '/audit?page_size=1000', textOf(admin, 'secret'));
  await eventually(async () => JSON.stringify((await read()).body).includes(uid ?? 'none'), {
    what: 'the add is in the audit',
  });
  const { body } = await read();
  const records = body as unknown as readonly Json[];
  expect(records).toContainEqual(
    expect.objectContaining({
      actor: admin['id'],
      operation: 'POST /api/v2/memories',
      ...PROJECT,
      resources: [uid],
      status: 200,
    }),
  );
  expect(records.every(({ org_id }) => org_id === 'acme')).toBe(true);
  expect(JSON.stringify(records)).not.toContain('thought');
  const everything = await request('GET', '/audit?page_size=1000', adminKey);
  expect(JSON.stringify(everything.body)).toContain('globex');
});

test('a batch of messages to MCP leaves a record of each operation that changes something, and of none that reads', async () => {
  const org = { org_id: 'batches', project_id: null };
  const key = await makeKey(['admin'], org);
  const project = { org_id: 'batches', project_id: 'apollo' };
  const headers = { authorization: `Bearer ${textOf(key, 'secret')}` };
  const [uid = ''] = await new Client(loci.url, project, { headers }).add(['Soon gone.']);
  const absent = '01890a5d-ac96-774b-bcce-b302099a8057';
  const ids = { org_id: 'batches', proj_id: 'apollo' };
  const calls = [
    { name: 'delete_memory', arguments: { ...ids, episodic_memory_uids: [uid] } },
    { name: 'search_memory', arguments: { ...ids, query: 'Soon gone.' } },
    { name: 'delete_memory', arguments: { ...ids, episodic_memory_uids: [absent] } },
    { name: 'list_memories', arguments: ids },
  ];
  const answer = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(calls.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toHaveLength(calls.length);
  const records = async () =>
    (await request('GET', '/audit?page_size=1000', textOf(key, 'secret'))).body as unknown as readonly Json[];
  // its record is the last to come
  await eventually(
    async () => (await records()).some((one) => one['operation'] === 'POST /api/v2/memories'),
    {
      what: 'the add is in the audit',
    },
  );
  const ofBatch = (await records()).filter((one) => one['request_id'] === answer.headers.get('x-request-id'));
  expect(
    ofBatch.map(({ operation, actor, project_id, resources, status }) => ({
      ...{ operation, actor, project_id, resources, status },
    })),
  ).toEqual(
    [
      [absent, 404],
      [uid, 200],
    ].map(([id, status]) => ({
      ...{ operation: 'tool delete_memory', actor: key['id'], project_id: 'apollo' },
      ...{ resources: [id], status },
    })),
  );
});

test('exports and administrative reads are in the audit, with who asked and from where', async () => {
  const project = { org_id: 'readers', project_id: 'apollo' };
  await clientOf(adminKey).expect(201, '/projects', project);
  const reader = await makeKey(['admin'], { ...project, project_id: null });
  const secret = textOf(reader, 'secret');
  const reads = ['/keys', '/webhooks', '/quotas', '/audit', '/projects/export', '/ingestion/usage'];
  const query = new URLSearchParams(project).toString();
  for (const path of reads) {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${loci.url}/api/v2${path}?${query}`, { headers });
    await response.arrayBuffer();
    expect([path, response.status]).toEqual([path, 200]);
  }
  const records = async () =>
    (await request('GET', `/audit?actor=${textOf(reader, 'id')}&page_size=1000`, secret))
      .body as unknown as readonly Json[];
  const ofReads = async (): Promise<readonly Json[]> =>
    (await records()).filter(({ status, operation }) => status === 200 && operation !== 'GET /api/v2/audit');
  expect((await ofReads()).map(({ operation }) => operation).sort()).toEqual(
    reads
      .filter((path) => path !== '/audit')
      .map((path) => `GET /api/v2${path}`)
      .sort(),
  );
  for (const record of await records())
    expect(record).toMatchObject({ actor: reader['id'], actor_kind: 'api-key', client_address: '127.0.0.1' });
  expect(await records()).toContainEqual(
    expect.objectContaining({ operation: 'GET /api/v2/audit', status: 200 }),
  );
});

test('of several Authorization headers none counts, whichever of them is valid', async () => {
  const statusWith = async (...tokens: readonly string[]): Promise<number | undefined> => {
    const body = '{}';
    const sent = httpRequest(`${loci.url}/api/v2/projects/list`, {
      method: 'POST',
      headers: [
        ...['host', 'localhost', 'content-type', 'application/json', 'content-length', String(body.length)],
        ...tokens.flatMap((token) => ['authorization', `Bearer ${token}`]),
      ],
    });
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(body);
    const [response] = await answer;
    response.resume();
    return response.statusCode;
  };
  expect(await statusWith(adminKey)).toBe(200);
  for (const tokens of [
    [adminKey, 'another'],
    ['another', adminKey],
    [adminKey, adminKey],
  ])
    expect(await statusWith(...tokens)).toBe(401);
});

test('an organization sees what the deployment did to its keys and webhooks, and not from where', async () => {
  const org = { org_id: 'watched', project_id: null };
  const own = textOf(await makeKey(['admin'], org), 'secret');
  const key = textOf(await makeKey(['read'], org), 'id');
  const hook = await clientOf(adminKey).expect(201, '/webhooks', { ...org, url: 'http://127.0.0.1:9/x' });
  const webhook = textOf(hook, 'id');
  await clientOf(adminKey).expect(200, `/keys/${key}/rotate`, {});
  await clientOf(adminKey).expect(200, `/webhooks/${webhook}/rotate`, {});
  for (const path of [`/keys/${key}`, `/webhooks/${webhook}`])
    expect((await request('DELETE', path, adminKey)).status).toBe(204);
  const { body } = await request('GET', '/audit?page_size=1000', own);
  const records = body as unknown as readonly Json[];
  const about = (id: string) =>
    records.filter(({ resources }) => (resources as string[]).includes(id)).map((one) => one['operation']);
  expect(about(key)).toEqual([
    'DELETE /api/v2/keys/:id',
    'POST /api/v2/keys/:id/rotate',
    'POST /api/v2/keys',
  ]);
  expect(about(webhook)).toEqual([
    'DELETE /api/v2/webhooks/:id',
    'POST /api/v2/webhooks/:id/rotate',
    'POST /api/v2/webhooks',
  ]);
  const fromAbove = records.filter((one) => one['actor_org_id'] === null);
  expect(new Set(fromAbove.map((one) => one['client_address']))).toEqual(new Set([null]));
  const { body: seenFromAbove } = await request('GET', '/audit?org_id=watched&page_size=1000', adminKey);
  expect(JSON.stringify(seenFromAbove)).toContain('DELETE /api/v2/keys/:id');
});

test('a memory of a user in the TypeScript client has nothing that a key of another producer wrote in the name of the user', async () => {
  const project = { org_id: 'diaries', project_id: 'mira' };
  await clientOf(adminKey).expect(201, '/projects', project);
  const [own, bound] = [
    await makeKey(['read', 'write'], project),
    await makeKey(['read', 'write'], { ...project, producer: 'mallory' }),
  ];
  const say = (key: Json, messages: readonly object[]): Promise<Json> =>
    clientOf(textOf(key, 'secret')).expect(200, '/memories', { ...project, messages });
  await say(own, [{ content: 'I live in Valencia.', producer: 'web', metadata: { user_id: 'mira' } }]);
  await say(own, [{ content: 'My boat is green.', producer: 'mira' }]);
  await say(bound, [
    { content: 'I live in Oslo.', metadata: { user_id: 'mira' } },
    { content: 'You live in Oslo.', role: 'assistant', produced_for: 'mira' },
  ]);
  const memoryOf = (user: string) =>
    new LociClient({ url: loci.url, apiKey: textOf(own, 'secret') }).memory({
      ...{ org: project.org_id, project: project.project_id },
      user,
    });
  const listed = async (user: string): Promise<string[]> => {
    const all = [];
    for await (const one of memoryOf(user).list({ kinds: ['episode'] })) all.push(one);
    return all.map(({ content }) => content);
  };
  expect(await listed('mira')).toEqual(['I live in Valencia.', 'My boat is green.']);
  expect(await listed('mallory')).toEqual(['I live in Oslo.', 'You live in Oslo.']);
  expect(await memoryOf('mira').count({ kinds: ['episode'] })).toBe(2);
  const { episodes, recent } = await memoryOf('mira').search('Where do I live?', { kinds: ['episode'] });
  const found = [...episodes, ...recent].map(({ content }) => content);
  expect(found).toContain('I live in Valencia.');
  expect(found.join()).not.toContain('Oslo');
});

test('what a key asks of a stranger is in the audit of its own organization, and in that of the stranger nothing is', async () => {
  const [prowler, victim] = [
    { org_id: 'prowler', project_id: null },
    { org_id: 'prowled', project_id: null },
  ];
  const [own, theirs] = [await makeKey(['admin'], prowler), await makeKey(['admin'], victim)];
  const target = { org_id: 'prowled', project_id: 'vault' };
  await clientOf(adminKey).expect(201, '/projects', target);
  const auditOf = async (key: Json): Promise<readonly Json[]> =>
    (await request('GET', '/audit?page_size=1000', textOf(key, 'secret'))).body as unknown as readonly Json[];
  const paths = ['/projects/delete', '/memories/list', '/memories/search', '/context'];
  const tried = async (): Promise<readonly Json[]> =>
    (await auditOf(own)).filter(({ status }) => status === 404);
  for (const path of paths)
    expect((await clientOf(textOf(own, 'secret')).post(path, { ...target, query: 'gold' })).status).toBe(404);
  const { org_id, project_id: proj_id } = target;
  const searched = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${textOf(own, 'secret')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search_memory', arguments: { org_id, proj_id, query: 'gold' } },
    }),
  });
  expect(await searched.text()).toContain('project_not_found');
  await eventually(async () => (await tried()).length > paths.length, { what: 'all of it is in the audit' });
  const about = { org_id: 'prowler', project_id: null, resources: ['prowled/vault'] };
  const operations = [...paths.map((path) => `POST /api/v2${path}`), 'tool search_memory'];
  expect(await tried()).toHaveLength(operations.length);
  for (const operation of operations)
    expect(await tried()).toContainEqual(expect.objectContaining({ ...about, operation }));
  const seen = (await auditOf(theirs)).filter((one) => one['actor_org_id'] === 'prowler');
  expect(seen).toEqual([]);
});

test('a key that only writes learns nothing of messages by a number that must fit: that needs the scope read', async () => {
  const project = { org_id: 'acme', project_id: 'oracle' };
  const keyFor = async (...scopes: string[]): Promise<Client> => {
    const { secret } = await makeKey(scopes, project);
    return new Client(loci.url, project, { headers: { authorization: `Bearer ${String(secret)}` } });
  };
  const writer = await keyFor('write');
  await writer.add(['The word is hunter2.']);
  const guess = { filter: "content >= 'The word is h'", expected_matching: 2 };
  const { status, body } = await writer.post('/memories/forget', guess);
  expect([status, body['detail']]).toEqual([403, expect.stringMatching(/scope read/)]);
  const reader = await keyFor('write', 'read');
  expect((await reader.post('/memories/forget', guess)).body).toMatchObject({ code: 'matching_changed' });
  await writer.expect(202, '/memories/forget', { filter: guess.filter });
});

test('what an administrator did is in the audit although the gateway was killed right after', async () => {
  const { pid } = await loci.process('gateway');
  const made = await makeKey(['read'], { name: 'made before the end' });
  process.kill(pid, 'SIGKILL');
  await eventually(() => isNoted(made), { what: 'the new key is in the audit', timeoutMs: 60_000 });
});

test('what an administrator did is in the audit although JetStream lost everything that it stored', async () => {
  let made: Json = {};
  await loseMessageOf(loci, 'config-service-audit', async () => {
    made = await makeKey(['read'], { name: 'made before the loss' });
    await clientOf(adminKey).add(['The record of this one may be lost.']);
  });
  await eventually(() => isNoted(made), { what: 'the new key is in the audit', timeoutMs: 60_000 });
});

/** Whether the making of a key is in the audit, with its outcome. */
async function isNoted(key: Json): Promise<boolean> {
  const answer = await request('GET', '/audit?page_size=1000', adminKey).catch(() => undefined);
  const records = (answer?.body ?? []) as unknown as readonly Json[];
  if (!Array.isArray(records)) return false;
  return records.some(
    ({ operation, resources, status }) =>
      operation === 'POST /api/v2/keys' && status === 201 && String(resources) === textOf(key, 'id'),
  );
}
