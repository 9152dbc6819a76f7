import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { Client, type Json } from '../harness/client.js';
import { msUntil } from '../harness/ms-until.js';
import { SecondProcess } from '../harness/second-process.js';
import { adminKeyOf, product } from './product.js';

const PROJECT = { org_id: 'twofold', project_id: 'apollo' };
const FROM_PAGE = { 'x-loci-session': '1' };
const SECOND_MS = 1_000;

let loci: Loci;
let other: SecondProcess;
let adminKey: string;
let urls: readonly [string, string];

beforeAll(async () => {
  loci = await product();
  [adminKey, other] = await Promise.all([adminKeyOf(loci), SecondProcess.start(loci, 'gateway')]);
  urls = [loci.url, other.url];
  await at(loci.url).expect(201, '/projects', {});
});

afterAll(() => other.stop());

const at = (url: string, key = adminKey): Client =>
  new Client(url, PROJECT, { headers: { authorization: `Bearer ${key}` } });

const makeKey = (): Promise<Json> =>
  at(loci.url).expect(201, '/keys', { ...PROJECT, name: 'a key', scopes: ['read'] });

/** A session of the console that one gateway opened. */
async function openSession(url: string, key: string): Promise<string> {
  const headers = { ...FROM_PAGE, authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/console/session`, { method: 'POST', headers });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

async function statusOf(url: string, cookie: string, headers: object = FROM_PAGE): Promise<number> {
  const answer = await fetch(`${url}/api/v2/memories/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, ...headers },
    body: JSON.stringify(PROJECT),
  });
  return answer.status;
}

describe('an Idempotency-Key', () => {
  test.each([
    ['makes one API key', '/keys', { ...PROJECT, name: 'once', scopes: ['read'] }],
    ['makes one webhook', '/webhooks', { ...PROJECT, url: 'https://example.com/hook' }],
  ])('%s, whose secret the first answer alone has, whichever gateway repeats it', async (_, path, body) => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await at(urls[0]).expect(201, path, body, headers);
    expect(first['secret']).toEqual(expect.any(String));
    for (const url of urls) {
      expect(await at(url).expect(201, path, body, headers)).toEqual({ ...first, secret: null });
    }
  });

  test('used at both at the same time makes one API key, and one secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { ...PROJECT, name: 'raced', scopes: ['read'] };
    const answers = await Promise.all([...urls, ...urls].map((url) => at(url).post('/keys', body, headers)));
    const made = answers.filter(({ status }) => status === 201).map(({ body: key }) => key);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ secret }) => secret !== null)).toHaveLength(1);
    for (const { status, body: refusal } of refused)
      expect({ status, ...refusal }).toMatchObject({ status: 409, code: 'idempotency_key_in_flight' });
  });
});

describe('a session of the console', () => {
  test('opened at one gateway is one at the other, with the bounds of its key', async () => {
    const cookie = await openSession(urls[0], String((await makeKey())['secret']));
    for (const url of urls) {
      expect(await statusOf(url, cookie)).toBe(200);
      expect(await statusOf(url, cookie, {})).toBe(401);
      expect(await statusOf(url, cookie, { ...FROM_PAGE, 'sec-fetch-site': 'cross-site' })).toBe(401);
    }
  });

  test('ends at both within a second of the revocation of its key', async () => {
    const { id, secret } = await makeKey();
    const cookie = await openSession(urls[1], String(secret));
    expect(await Promise.all(urls.map((url) => statusOf(url, cookie)))).toEqual([200, 200]);
    const revoked = await fetch(`${urls[0]}/api/v2/keys/${String(id)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect(revoked.status).toBe(204);
    const lasted = urls.map((url) =>
      msUntil(async () => (await statusOf(url, cookie)) === 401, `the session has ended at ${url}`),
    );
    expect(Math.max(...(await Promise.all(lasted)))).toBeLessThan(SECOND_MS);
  });

  test('cannot be fixed beforehand: who signs in gets another cookie than the one that was there', async () => {
    const [own, planted] = await Promise.all(
      [makeKey(), makeKey()].map(async (key) => openSession(urls[0], String((await key)['secret']))),
    );
    const headers = { ...FROM_PAGE, authorization: `Bearer ${adminKey}`, cookie: String(planted) };
    const answer = await fetch(`${urls[0]}/console/session`, { method: 'POST', headers });
    const given = answer.headers.get('set-cookie')?.split(';', 1)[0];
    expect(given).toMatch(/^loci_session=./);
    expect([own, planted]).not.toContain(given);
  });
});
