import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from '../harness/client.js';
import { product } from './product.js';
import { type Loci } from '@loci/testing';

let loci: Loci;
let client: Client;

beforeAll(async () => {
  loci = await product();
  client = new Client(loci.url, { org_id: 'acme-idempotency', project_id: 'idempotent' });
});

const keyed = (key: string = randomUUID()): { 'idempotency-key': string } => ({ 'idempotency-key': key });

describe('P4: one key, one effect', () => {
  test('the same key and body give the same answer and store nothing twice, also after a restart of the service', async () => {
    const headers = keyed();
    const body = { messages: [{ content: 'once' }] };
    const first = await client.expect(200, '/memories', body, headers);
    expect(await client.expect(200, '/memories', body, headers)).toEqual(first);
    await loci.kill('episodic-api');
    await loci.ready();
    expect(await client.expect(200, '/memories', body, headers)).toEqual(first);
    expect(await client.count()).toBe(1);
  });

  test('the order of keys in the body does not matter, its content does', async () => {
    const headers = keyed();
    const first = await client.expect(200, '/memories', { messages: [{ content: 'a', role: 'x' }] }, headers);
    expect(
      await client.expect(200, '/memories', { messages: [{ role: 'x', content: 'a' }] }, headers),
    ).toEqual(first);
    expect(
      await client.post('/memories', { messages: [{ content: 'b', role: 'x' }] }, headers),
    ).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  test('many at once with one key store once; who comes too early is told so', async () => {
    const headers = keyed();
    const before = await client.count();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        client.post('/memories', { messages: [{ content: 'race' }] }, headers),
      ),
    );
    const stored = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(stored).size).toBe(1);
    expect(
      refused.every(({ status, body }) => status === 409 && body['code'] === 'idempotency_key_in_flight'),
    ).toBe(true);
    expect(await client.count()).toBe(before + 1);
  });

  test('a key belongs to its tenant and its operation', async () => {
    const headers = keyed();
    const other = new Client(loci.url, { org_id: 'acme-idempotency', project_id: 'other' });
    const body = { messages: [{ content: 'scoped' }] };
    const [mine, theirs] = [
      await client.expect(200, '/memories', body, headers),
      await other.expect(200, '/memories', body, headers),
    ];
    expect(mine).not.toEqual(theirs);
    expect(await client.post('/memory/episodic/config', { enabled: true }, headers)).toMatchObject({
      status: 204,
    });
  });

  test('a refused request leaves the key unused', async () => {
    const headers = keyed();
    await client.expect(422, '/memories', { messages: [] }, headers);
    await client.expect(200, '/memories', { messages: [{ content: 'second try' }] }, headers);
  });

  test('deleting and creating repeat their answers', async () => {
    const project = new Client(loci.url, { org_id: 'acme-idempotency', project_id: 'repeated' });
    const create = keyed();
    const first = await project.expect(201, '/projects', { description: 'd' }, create);
    expect(await project.expect(201, '/projects', { description: 'd' }, create)).toEqual(first);
    const [uid] = await project.add(['x']);
    const remove = keyed();
    await project.expect(204, '/memories/episodic/delete', { episodic_id: uid }, remove);
    await project.expect(204, '/memories/episodic/delete', { episodic_id: uid }, remove);
    const erase = keyed();
    await project.expect(204, '/projects/delete', {}, erase);
    await project.expect(204, '/projects/delete', {}, erase);
  });
});
