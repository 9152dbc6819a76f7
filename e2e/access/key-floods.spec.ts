import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { apiKeyDigest, newApiKeySecret } from '@loci/contracts';
import {
  BareRefuser,
  eventually,
  type Loci,
  STRANGER_KINDS,
  type StrangerKind,
  Strangers,
} from '@loci/testing';
import { Client, parse } from '../harness/client.js';
import { withDatabase } from '../harness/database.js';
import { keyedClient } from './keyed-client.js';
import { adminKeyOf, product } from './product.js';

const PROJECT = { org_id: 'flooded', project_id: 'apollo' };
const KEYS = 1_000;
const STRANGERS = 1_000;
const AT_ONCE = 100;

/** What the gateway answers 401 in a minute, and so asks the config service about (`AUTH_FAILURES_PER_MINUTE`). */
const MAX_ASKED = 300;

/** Of each kind of flood, beside the gateway and beside a bare server. */
const SEARCHES = 8;
/** Beside a gateway that refuses as fast as it can be asked, they are about as fast as beside the bare server. */
const MOST_TIMES_SLOWER = 3;

let loci: Loci;
let adminKey: string;

beforeAll(async () => {
  loci = await product();
  adminKey = await adminKeyOf(loci);
});

/** Of a request that the gateway answers alone, so that nothing but the key decides. */
async function statusOf(key: string): Promise<number> {
  const response = await fetch(`${loci.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Puts keys where the config service keeps them: half of them are of before there were tags. */
async function putKeys(secretsOf: (tagKey: Uint8Array) => readonly string[]): Promise<readonly string[]> {
  return withDatabase(await loci.databaseUrlOf('migrate'), async (client) => {
    await client.query(`SELECT set_config('loci.scope', '*', false)`);
    const { rows } = await client.query<{ key: Buffer }>('SELECT key FROM config.api_key_tag');
    const [tag] = rows;
    if (!tag) throw new Error('There is no key of tags.');
    const secrets = secretsOf(tag.key);
    await client.query(
      `INSERT INTO config.api_keys (id, name, hint, scopes, org_id, project_id, digest)
       SELECT id::uuid, 'one of many', 'loci_', '{read}', $3, $4, digest
       FROM unnest($1::text[], $2::text[]) AS made (id, digest)`,
      [secrets.map(() => randomUUID()), secrets.map(apiKeyDigest), PROJECT.org_id, PROJECT.project_id],
    );
    return secrets;
  });
}

/** How many secrets the gateway has asked about since its start. */
async function asked(): Promise<number> {
  const text = await (await fetch(`${loci.url}/metrics`)).text();
  const counts = [...text.matchAll(/^api_key_lookups_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How many answers to unknown callers wait, so that their clients ask no more meanwhile. */
async function waiting(): Promise<number> {
  const text = await (await fetch(`${loci.url}/metrics`)).text();
  return Number(/^http_refusals_waiting(?:\{.*\})? (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** @returns how long each of some searches takes beside a flood, in milliseconds */
async function beside(url: string, kind: StrangerKind, search: () => Promise<unknown>): Promise<number[]> {
  const flood = await Strangers.flood(url, { kind, clients: AT_ONCE, addresses: ['127.0.0.1'] });
  try {
    if (url === loci.url)
      await eventually(async () => (await waiting()) > AT_ONCE / 2, { what: 'most wait' });
    const times: number[] = [];
    while (times.length < SEARCHES) {
      const begunAt = performance.now();
      await search();
      times.push(performance.now() - begunAt);
    }
    return times;
  } finally {
    await flood.stop();
  }
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;

const counts = (statuses: readonly number[]): Record<number, number> =>
  Object.fromEntries([...new Set(statuses)].map((status) => [status, countOf(statuses, status)]));

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

test('a gateway that was just started lets in 1,000 distinct keys at once, old and new ones', async () => {
  const secrets = await putKeys((tagKey) =>
    Array.from({ length: KEYS }, (_, index) => newApiKeySecret(index % 2 === 0 ? tagKey : undefined)),
  );
  await loci.kill('gateway');
  const statuses = await Promise.all(secrets.map(statusOf));
  expect(counts(statuses)).toEqual({ 200: KEYS });
  expect(await asked()).toBe(KEYS);
});

test('a flood of unknown keys reaches neither the config service nor the callers that have a key', async () => {
  const client = new Client(loci.url, PROJECT, { headers: { authorization: `Bearer ${adminKey}` } });
  const make = () => client.expect(201, '/keys', { name: 'honest', scopes: ['read'] });
  const honest = [String((await make())['secret'])];
  const before = await asked();
  const strangers = Array.from({ length: STRANGERS }, () => newApiKeySecret());
  const statuses: number[] = [];
  const ofHonest: number[] = [];
  const flood = async (): Promise<void> => {
    for (let secret = strangers.pop(); secret !== undefined; secret = strangers.pop()) {
      statuses.push(await statusOf(secret));
    }
  };
  const callHonestly = async (): Promise<void> => {
    while (strangers.length > 0) {
      if (ofHonest.length === 10) honest.push(String((await make())['secret']));
      for (const secret of honest) ofHonest.push(await statusOf(secret));
    }
  };
  await Promise.all([...Array.from({ length: AT_ONCE }, flood), callHonestly()]);
  expect(countOf(statuses, 401) + countOf(statuses, 429)).toBe(STRANGERS);
  expect(countOf(statuses, 401)).toBeGreaterThan(0);
  expect(countOf(ofHonest, 200)).toBe(ofHonest.length);
  expect(honest).toHaveLength(2);
  // a window may end during the flood
  expect((await asked()) - before).toBeLessThanOrEqual(2 * MAX_ASKED + honest.length);
});

test('the config service is not asked about what cannot be a key of this deployment', async () => {
  const issued = (await keyedClient(loci, 'mistyped')).authorization.slice('Bearer '.length);
  const mistyped = `${issued.slice(0, 20)}${issued.at(20) === 'x' ? 'y' : 'x'}${issued.slice(21)}`;
  const ofAnother = newApiKeySecret(randomBytes(32));
  const before = await asked();
  for (const secret of [mistyped, ofAnother, 'loci_short', 'a word'])
    expect([401, 429]).toContain(await statusOf(secret));
  expect(await statusOf(issued)).toBe(200);
  expect((await asked()) - before).toBe(1);
});

test('unknown keys are answered so slowly that searches with a key take no longer than beside a bare server', async () => {
  const { client } = await keyedClient(loci, 'searching');
  await client.add(['The tea is without sugar.']);
  const search = () => client.expect(200, '/memories/search', { query: 'tea' });
  const bare = await BareRefuser.start();
  const times = { bare: [] as number[], gateway: [] as number[] };
  try {
    for (const kind of STRANGER_KINDS) {
      times.bare.push(...(await beside(bare.url, kind, search)));
      times.gateway.push(...(await beside(loci.url, kind, search)));
    }
  } finally {
    await bare.stop();
  }
  expect(median(times.gateway) / median(times.bare)).toBeLessThan(MOST_TIMES_SLOWER);
});

test('a key that is revoked while it is used without a pause is refused within a second', async () => {
  const admin = new Client(loci.url, PROJECT, { headers: { authorization: `Bearer ${adminKey}` } });
  const made = await admin.expect(201, '/keys', { name: 'to be revoked', scopes: ['read'] });
  const secret = String(made['secret']);
  const answers: { readonly at: number; readonly status: number }[] = [];
  const use = async (): Promise<void> => {
    do {
      const begunAt = performance.now();
      answers.push({ at: begunAt, status: await statusOf(secret) });
    } while (answers.at(-1)?.status === 200);
  };
  const users = Array.from({ length: 8 }, use);
  await eventually(() => answers.length > 50, { what: 'the key is in use' });
  const headers = { authorization: `Bearer ${adminKey}` };
  const url = `${loci.url}/api/v2/keys/${String(made['id'])}`;
  const revoked = await fetch(url, { method: 'DELETE', headers });
  const revokedAt = performance.now();
  expect({ status: revoked.status, body: parse(await revoked.text()) }).toMatchObject({ status: 204 });
  await Promise.all(users);
  const lastUse = Math.max(...answers.filter(({ status }) => status === 200).map(({ at }) => at));
  expect(lastUse - revokedAt).toBeLessThan(1_000);
  // 429: the flood came from the same address
  expect(answers.every(({ status }) => [200, 401, 429].includes(status))).toBe(true);
});
