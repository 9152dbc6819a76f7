import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { addEpisodes, listProjects } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { beginRequest, type HalfRequest } from '../../test/half-request.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ADD = '/api/v2/memories';
const LIST = '/api/v2/projects/list';

type Headers = Readonly<Record<'authorization', string>>;

let gateway: TestGateway;
let keys: TestKeys;
/** Two keys of one organization, and one of another. */
let [x, x2, y]: Headers[] = [];
let halves: HalfRequest[];
/** Lists that wait for an answer of the service, oldest first. */
let unanswered: { org: string; answer: () => void }[];

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  gateway = await startTestGateway({ AUTH: 'on', KEY_SHARE_PERCENT: '50', ...settings });
  gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] }));
  gateway.rpc.on(
    listProjects,
    ({ orgId = '' }) =>
      new Promise((resolve) => unanswered.push({ org: orgId, answer: () => resolve({ projects: [] }) })),
  );
  keys.serve(gateway);
}

let ids = 0;

function key(orgId: string): Headers {
  ids += 1;
  const id = `01890a5d-ac96-774b-bcce-${String(ids).padStart(12, '0')}`;
  return bearer(keys.add({ id, scopes: ['admin'], bounds: { orgId } }));
}

beforeEach(() => {
  keys = new TestKeys();
  [x, x2, y] = [key('x'), key('x'), key('y')];
  [halves, unanswered] = [[], []];
});

afterEach(async () => {
  for (const { socket } of halves) socket.destroy();
  for (const { answer } of unanswered) answer();
  await gateway.app.close();
});

const list = async (headers: Headers | undefined): Promise<number> =>
  (await post(gateway, LIST, undefined, headers)).status;

const add = (headers: Headers | undefined, orgId: string) =>
  post(gateway, ADD, { org_id: orgId, project_id: 'p', messages: [{ content: 'x' }] }, headers);

const areAsked = (count: number) =>
  eventually(() => unanswered.length === count, { what: `the service has been asked ${count} times` });

/** Bytes of a body that are worth the share of a key. */
const LARGE = 'x'.repeat(150_000);

test('large adds of one key reach the service one at a time, and small ones of others at once', async () => {
  await start({ MAX_BODY_BYTES: String(7 * 1024 * 1024) });
  let adding: { org: string; answer: () => void }[] = [];
  gateway.rpc.on(
    addEpisodes,
    ({ tenant }) =>
      new Promise((resolve) => adding.push({ org: tenant.orgId, answer: () => resolve({ uids: ['u'] }) })),
  );
  const messages = Array.from({ length: 30 }, () => ({ content: LARGE }));
  const large = [1, 2, 3].map(() => post(gateway, ADD, { org_id: 'x', project_id: 'p', messages }, x));
  await eventually(() => adding.length > 0, { what: 'the first large add reaches the service' });
  const small = add(y, 'y');
  await eventually(() => adding.some(({ org }) => org === 'y'), { what: 'so does the add of another' });
  expect(adding.filter(({ org }) => org === 'x')).toHaveLength(1);
  while (adding.length > 0) {
    const now = adding;
    adding = [];
    for (const { answer } of now) answer();
    await Promise.race([Promise.all(large), eventually(() => adding.length > 0, { what: 'the next comes' })]);
  }
  expect((await Promise.all([...large, small])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

/** Answers one after the other. */
async function answerEach(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await eventually(() => unanswered[index] !== undefined, {
      what: `the service has been asked ${index + 1} times`,
    });
    unanswered[index]?.answer();
  }
}

async function half(headers: Headers | undefined, begun = '{', length = 100): Promise<HalfRequest> {
  const one = await beginRequest(gateway, ADD, {
    authorization: headers?.authorization ?? '',
    begun,
    length,
  });
  halves.push(one);
  return one;
}

const metric = async (name: string): Promise<number> => {
  const text = (await gateway.app.inject('/metrics')).body;
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

describe('a body that is on its way', () => {
  test('costs no slot', async () => {
    await start({ MAX_IN_FLIGHT: '1', MAX_WAITING: '0' });
    for (let count = 0; count < 5; count += 1) await half(x);
    await eventually(async () => (await metric('http_uploads_open{')) === 5, {
      what: 'five are on their way',
    });
    expect((await add(y, 'y')).status).toBe(200);
    expect((await add(x, 'x')).status).toBe(200);
  });

  test('is one of so many that a key may have, however slowly it comes; others are not concerned', async () => {
    await start({ MAX_UPLOADS: '4' });
    await half(x);
    await half(x);
    await eventually(async () => (await metric('http_uploads_open{')) === 2, {
      what: 'two are on their way',
    });
    const third = await half(x);
    expect(await third.status).toBe(429);
    expect((await add(x, 'x')).body).toMatchObject({ code: 'overloaded' });
    expect((await add(y, 'y')).status).toBe(200);
    for (const { socket } of halves) socket.destroy();
    await eventually(async () => (await metric('http_uploads_open{')) === 0, { what: 'all are given back' });
    expect((await add(x, 'x')).status).toBe(200);
    expect(await metric('http_capacity_refusals_total{reason="uploads",share="key"')).toBe(2);
  });

  test('takes as many bytes as have come, of the share of its key', async () => {
    // at least two bodies of the largest size fit into a share
    await start({ MAX_BODY_BYTES: '2048', MEMORY_BUDGET_BYTES: '1' });
    const begun = `{"x":"${'x'.repeat(1_700)}`;
    await half(x, begun, 2_000);
    await half(x, begun, 2_000);
    await eventually(async () => (await metric('http_receiving_bytes{')) > 3_400, { what: 'most has come' });
    const third = await half(x, begun, 2_000);
    expect(await third.status).toBe(429);
    expect((await add(y, 'y')).status).toBe(200);
    for (const { socket } of halves) socket.destroy();
    await eventually(async () => (await metric('http_receiving_bytes{')) === 0, {
      what: 'all is given back',
    });
  });
});

describe('turns', () => {
  test('a request waits until it is its turn: other organizations first, then other keys', async () => {
    await start({ MAX_IN_FLIGHT: '1' });
    const first = list(x);
    await areAsked(1);
    const waiting = [list(x), list(x), list(x)];
    await eventually(async () => (await metric('http_requests_waiting{')) === 3, { what: 'three wait' });
    const [ofX2, ofY] = [list(x2), list(y)];
    await eventually(async () => (await metric('http_requests_waiting{')) === 5, { what: 'five wait' });
    const answers = Promise.all([first, ...waiting, ofX2, ofY]);
    await answerEach(6);
    expect(await answers).toEqual([200, 200, 200, 200, 200, 200]);
    expect(unanswered.slice(0, 4).map(({ org }) => org)).toContain('y');
    expect(unanswered.findIndex(({ org }) => org === 'y')).toBeLessThanOrEqual(2);
    expect(await metric('http_requests_in_flight{')).toBe(0);
    expect(await metric('http_request_wait_seconds_count')).toBe(5);
  });

  test('a key has its share of slots and no more; another organization does not wait', async () => {
    await start({ MAX_IN_FLIGHT: '4' });
    const ofX = [list(x), list(x), list(x)];
    await areAsked(2);
    const ofY = list(y);
    await areAsked(3);
    expect(unanswered.map(({ org }) => org)).toEqual(['x', 'x', 'y']);
    for (const { answer } of unanswered) answer();
    await areAsked(4);
    unanswered[3]?.answer();
    expect(await Promise.all([...ofX, ofY])).toEqual([200, 200, 200, 200]);
  });

  test('who waits for too long behind their own gets 429, behind others 503, both with Retry-After', async () => {
    await start({ MAX_IN_FLIGHT: '2', MAX_WAIT_MS: '50' });
    const z = key('z');
    const first = [x, y, z].map(list);
    await answerEach(3);
    expect(await Promise.all(first)).toEqual([200, 200, 200]);
    const held2 = [list(x), list(y)];
    await areAsked(5);
    const own = await post(gateway, LIST, undefined, x);
    expect(own).toMatchObject({ status: 429, body: { code: 'overloaded' } });
    const others = await post(gateway, LIST, undefined, z);
    expect(others).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    for (const { headers } of [own, others]) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    for (const { answer } of unanswered) answer();
    expect(await Promise.all(held2)).toEqual([200, 200]);
  });

  test('who comes with a key that was looked up waits for as long as a request may take, and the next time no longer', async () => {
    await start({ MAX_IN_FLIGHT: '1', MAX_WAIT_MS: '1' });
    const held = list(x);
    await areAsked(1);
    const newcomers = [list(x2), list(y)];
    await eventually(async () => (await metric('http_requests_waiting{')) === 2, { what: 'both wait' });
    expect(await list(x)).toBe(429);
    await answerEach(3);
    expect(await Promise.all([held, ...newcomers])).toEqual([200, 200, 200]);
  });

  test('the queue of one organization may be full, and that of another is not', async () => {
    await start({ MAX_IN_FLIGHT: '2', MAX_WAITING: '4' });
    const running = [list(x), list(y)];
    await areAsked(2);
    const waiting = [list(x), list(x)];
    await eventually(async () => (await metric('http_requests_waiting{')) === 2, { what: 'two wait' });
    expect(await list(x)).toBe(429);
    expect(await list(x2)).toBe(429);
    const ofY = list(y);
    await answerEach(5);
    expect(await Promise.all([...running, ...waiting, ofY])).toEqual([200, 200, 200, 200, 200]);
  });

  test('who hangs up does not make room for the next while the work goes on', async () => {
    await start({ MAX_IN_FLIGHT: '1', MAX_WAITING: '0' });
    await gateway.app.listen({ port: 0, host: '127.0.0.1' });
    const controller = new AbortController();
    const gone = fetch(new URL(LIST, await gateway.app.getUrl()), {
      method: 'POST',
      headers: x ?? {},
      signal: controller.signal,
    }).catch(() => 'gone');
    await areAsked(1);
    controller.abort();
    expect(await gone).toBe('gone');
    await eventually(async () => (await metric('http_requests_total{')) > 0, { what: 'the loss is noticed' });
    expect(await list(x)).toBe(429);
    unanswered[0]?.answer();
    await eventually(async () => (await metric('http_requests_in_flight{')) === 0, {
      what: 'the work is done',
    });
    expect(await metric('http_handling_bytes{')).toBe(0);
  });
});

test('the memory of an answer is given back when the client has it, or takes nothing of it for too long', async () => {
  await start({ RECEIVE_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '500' });
  const projects = Array.from({ length: 100_000 }, () => ({ orgId: 'x', projectId: 'p'.repeat(100) }));
  gateway.rpc.on(listProjects, () => ({ projects }));
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { hostname, port } = new URL(await gateway.app.getUrl());
  const socket = connect(Number(port), hostname);
  socket
    .pause()
    .write(`POST ${LIST} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${x?.authorization}\r\n\r\n`);
  await eventually(async () => (await metric('http_handling_bytes{')) > 10_000_000, {
    what: 'the answer waits',
  });
  expect(await metric('http_requests_in_flight{')).toBe(0);
  await eventually(async () => (await metric('http_handling_bytes{')) === 0, { what: 'it waits no more' });
  socket.destroy();
});

test('a body of many small objects is refused before anything is built from it', async () => {
  await start({});
  const answer = await post(
    gateway,
    ADD,
    Array.from({ length: 50_001 }, () => ({})),
    x,
  );
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'json_invalid' }] } });
});

test.each(['acme', 'acme=0', 'acme=x', '=2', 'a=1,b'])('the weights %j are refused', async (setting) => {
  await start({});
  await expect(startTestGateway({ ORG_WEIGHTS: setting })).rejects.toThrow(/^ORG_WEIGHTS: entry [12] /);
});
