import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { addEpisodes, apiKeysChanged, listNotifications, listProjects, verifyApiKeys } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { notedRecords } from '../../test/noted-records.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const MESSAGES = { org_id: 'acme', project_id: 'p', messages: [{ content: 'x' }] };
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const ADD = '/api/v2/memories';

let gateway: TestGateway;
let keys: TestKeys;
let headers: Readonly<Record<'authorization', string>>;
/** What the service has not answered yet. */
let unanswered: (() => void)[];

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  gateway = await startTestGateway({ AUTH: 'on', MAX_WAIT_MS: '60000', ...settings });
  keys = new TestKeys();
  unanswered = [];
  headers = bearer(keys.add({ scopes: ['read', 'write', 'admin'], bounds: {}, id: ID }));
  keys.serve(gateway);
  gateway.rpc
    .on(addEpisodes, () => ({ uids: ['u'] }))
    .on(listNotifications, () => ({ notifications: [], position: 1, isGap: false }))
    .on(listProjects, () => later(() => ({ projects: [] })));
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
}

afterEach(async () => {
  for (const answer of unanswered) answer();
  await gateway.app.close();
});

const later = <T>(answer: () => T): Promise<T> =>
  new Promise((resolve) => unanswered.push(() => resolve(answer())));

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(await gateway.app.getUrl());
  return connect(Number(port), hostname).on('error', () => undefined);
}

const requestOf = (line: string, body = '', length = body.length): string =>
  [
    `${line} HTTP/1.1`,
    'host: localhost',
    `authorization: ${headers.authorization}`,
    ...(length > 0 ? ['content-type: application/json', `content-length: ${length}`] : []),
    '',
    body,
  ].join('\r\n');

const areUnanswered = (count: number) =>
  eventually(() => unanswered.length === count, { what: `${count} requests wait for a service` });

/** A request is logged when its answer is out or its client gone. */
const areOver = (count: number) =>
  eventually(
    () => {
      const logged = gateway.logger.lines.filter(({ message }) => message === 'request');
      return logged.filter(({ fields }) => fields['path'] !== '/metrics').length === count;
    },
    { what: 'the gateway knows that its client is gone' },
  );

async function hangUp(socket: Socket, requests: number): Promise<void> {
  socket.destroy();
  await once(socket, 'close');
  await areOver(requests);
}

/** What clients take of the gateway, by the name of the gauge. */
async function inUse(): Promise<Readonly<Record<string, number>>> {
  const text = (await gateway.app.inject('/metrics')).body;
  const gauges = [
    'http_uploads_open',
    'http_receiving_bytes',
    'http_requests_waiting',
    'http_requests_in_flight',
    'http_handling_bytes',
    'event_streams_open',
  ];
  return Object.fromEntries(
    gauges.map((name) => {
      const line = text.split('\n').find((one) => one.startsWith(`${name}{`));
      return [name, Number(line?.split(' ').at(-1))];
    }),
  );
}

const NOTHING = {
  http_uploads_open: 0,
  http_receiving_bytes: 0,
  http_requests_waiting: 0,
  http_requests_in_flight: 0,
  http_handling_bytes: 0,
  event_streams_open: 0,
};

describe.each([
  ['half a body', requestOf.bind(null, `POST ${ADD}`, '{', 100)],
  ['a stream of events', requestOf.bind(null, 'GET /api/v2/events', '', 0)],
  ['a stream of statistics', requestOf.bind(null, 'GET /api/v2/statistics/stream?follow=true', '', 0)],
  ['a whole add', requestOf.bind(null, `POST ${ADD}`, JSON.stringify(MESSAGES), undefined)],
])('%s of a client that hangs up', (_, request) => {
  test('while it is found out who it is takes nothing, and does nothing', async () => {
    await start();
    gateway.rpc.on(verifyApiKeys, (asked) => later(() => keys.answer(asked)));
    const socket = await connected();
    socket.write(request());
    await areUnanswered(1);
    await hangUp(socket, 1);
    unanswered[0]?.();
    expect((await post(gateway, ADD, MESSAGES, headers)).status).toBe(200);
    expect(await inUse()).toEqual(NOTHING);
    expect(gateway.rpc.requests(addEpisodes)).toHaveLength(1);
    const actors = () => notedRecords(gateway.events).filter(({ status }) => status !== 499);
    await eventually(() => actors().length === 1, { what: 'the add that was done is noted' });
  });

  test('behind another request of its connection gives back all that it took', async () => {
    await start();
    const socket = await connected();
    socket.write(requestOf('POST /api/v2/projects/list') + request());
    await areUnanswered(1);
    await eventually(
      async () =>
        (await inUse())['http_uploads_open'] === 1 ||
        gateway.rpc.requests(addEpisodes).length === 1 ||
        (await inUse())['event_streams_open'] === 1,
      { what: 'the second request is being worked on' },
    );
    await hangUp(socket, 2);
    unanswered[0]?.();
    await eventually(async () => (await inUse())['http_requests_in_flight'] === 0, {
      what: 'the work is done',
    });
    expect(await inUse()).toEqual(NOTHING);
  });
});

/** A caller who was known less long ago is not asked about again. */
const CONFIRMED_MS = 250;

test.each(['/api/v2/events', '/api/v2/statistics/stream?follow=true'])(
  'GET %s of a client that hangs up while its key is looked at again takes no stream',
  async (url) => {
    await start({ MAX_IN_FLIGHT: '1' });
    const list = post(gateway, '/api/v2/projects/list', undefined, headers);
    await areUnanswered(1);
    const socket = await connected();
    const sentAt = performance.now();
    socket.write(requestOf(`GET ${url}`));
    await eventually(async () => (await inUse())['http_requests_waiting'] === 1, { what: 'it waits' });
    await eventually(() => performance.now() - sentAt > 2 * CONFIRMED_MS, { what: 'its key is old' });
    gateway.events.tell(apiKeysChanged, { id: ID });
    gateway.rpc.on(verifyApiKeys, (asked) => later(() => keys.answer(asked)));
    unanswered.shift()?.();
    expect((await list).status).toBe(200);
    await areUnanswered(1);
    await hangUp(socket, 2);
    unanswered[0]?.();
    await eventually(async () => (await inUse())['http_requests_in_flight'] === 0, { what: 'it is over' });
    expect(await inUse()).toEqual(NOTHING);
  },
);
