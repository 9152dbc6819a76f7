import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { type Answer, Client, parse, TIMEOUT_MS } from '../harness/client.js';
import { BAD_INPUTS, type Input, ODD_BUT_VALID, UNKNOWN_PROJECT } from './bad-inputs.js';
import { product } from './product.js';

let loci: Loci;

beforeAll(async () => {
  loci = await product();
});

async function send({ method, path, headers, body }: Input): Promise<Answer> {
  const payload = body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${loci.url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: payload }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, headers: response.headers, body: parse(await response.text()) };
}

const named = (inputs: readonly Input[]): [string, Input][] => inputs.map((input) => [input.name, input]);

test('there are enough of them', () => {
  expect(BAD_INPUTS.length).toBeGreaterThanOrEqual(100);
});

describe('P7: refused with the documented answer', () => {
  test.each(named([...BAD_INPUTS, ...UNKNOWN_PROJECT]))('%s', async (_, input) => {
    const { status, headers, body } = await send(input);
    expect({ status, body }).toMatchObject({ status: input.status });
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    if (input.status === 422) {
      expect(body).toEqual({ detail: expect.any(Array) });
      expect(body['detail']).toContainEqual({
        type: input.type,
        msg: expect.stringMatching(/^.{5,}$/),
        loc: input.loc ?? expect.any(Array),
      });
    } else {
      expect(body).toEqual({ detail: expect.stringMatching(/^[A-Z].{10,}\.$/), code: input.code });
    }
  });
});

describe('odd, but answered', () => {
  test.each(named(ODD_BUT_VALID))('%s', async (_, input) => {
    expect(await send(input)).toMatchObject({ status: 200 });
  });
});

describe('after all of them', () => {
  test('nothing was created, and the product works as before', async () => {
    await loci.ready();
    const listed = await new Client(loci.url, { org_id: 'acme', project_id: 'bad-inputs' }).list();
    expect(listed).toEqual([]);
    const client = new Client(loci.url, { org_id: 'acme', project_id: 'good' });
    const [uid] = await client.add(['The lighthouse still stands.']);
    await client.disableShortTerm();
    expect((await client.search('lighthouse')).longTerm.map((episode) => episode.uid)).toEqual([uid]);
    const response = await fetch(`${loci.url}/api/v2/projects/list`, { method: 'POST' });
    expect(await response.json()).toEqual([{ org_id: 'acme', project_id: 'good' }]);
  });
});
