import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  apiKeysChanged,
  listNotifications,
  notificationsRecorded,
  type RecordedNotification,
  unavailable,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';
import { SESSION_HEADER } from '../access/sessions.js';

const BOUNDS = { orgId: 'acme', projectId: 'apollo' };

let gateway: TestGateway;
let keys: TestKeys;
let kept: RecordedNotification[];

const happened = (position: number, further: Partial<RecordedNotification> = {}): RecordedNotification => ({
  position,
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'deletion.done',
  at: '2026-01-02T03:04:05.000Z',
  ...BOUNDS,
  data: { job_id: 'j', deleted: position },
  ...further,
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<string> {
  gateway = await startTestGateway({ AUTH: 'on', ...settings });
  keys.serve(gateway);
  gateway.rpc.on(listNotifications, ({ after, limit }) => {
    const notifications =
      after === undefined ? [] : kept.filter(({ position }) => position > after).slice(0, limit);
    const position = (after === undefined ? kept : notifications).at(-1)?.position ?? after ?? 0;
    return { notifications, position, isGap: false };
  });
  await gateway.app.listen(0, '127.0.0.1');
  return gateway.app.getUrl();
}

beforeEach(() => {
  keys = new TestKeys();
  kept = [];
});

afterEach(() => gateway.app.close());

/** What a client was sent so far, and whether it was told that this is all. */
interface Listener {
  text: string;
  hasEnded: boolean;
  readonly stop: () => void;
}

async function listen(
  url: string,
  caller: string | Record<string, string>,
  further: Record<string, string> = {},
): Promise<Listener> {
  const own = typeof caller === 'string' ? bearer(caller) : caller;
  const request = get(url, { headers: { ...own, ...further }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const listener = { text: '', hasEnded: false, stop: () => request.destroy() };
  response.setEncoding('utf8').on('data', (part: string) => (listener.text += part));
  response.on('end', () => (listener.hasEnded = true)).on('error', () => undefined);
  return listener;
}

const heard = (listener: Listener): string[] =>
  [...listener.text.matchAll(/"deleted":(\d+)/g)].map(([, n = '']) => n);

const readerKey = (further: object = {}): string =>
  keys.add({ scopes: ['read'], bounds: BOUNDS, ...further });

test('a client hears what is recorded after it came, and goes on behind the last event that it got', async () => {
  const url = `${await start()}/api/v2/events`;
  kept.push(happened(1));
  const secret = readerKey();
  const first = await listen(url, secret);
  await eventually(() => first.text.includes('id: 1\nevent: stream.position'), { what: 'it begins' });
  kept.push(happened(2));
  gateway.events.tell(notificationsRecorded, { recorded: [BOUNDS] });
  await eventually(() => heard(first).join() === '2', { what: 'the event arrives' });
  first.stop();
  kept.push(happened(3), happened(4, { type: 'dead_letter.added' }));
  const second = await listen(`${url}?types=deletion.done&follow=false`, secret, { 'last-event-id': '1' });
  await eventually(() => second.hasEnded, { what: 'it ends' });
  expect(heard(second)).toEqual(['2', '3']);
  expect(second.text).toContain('id: 4\nevent: stream.position');
});

test('more than a page comes in one go, and in sequence', async () => {
  const url = await start();
  kept.push(...Array.from({ length: 250 }, (_, index) => happened(index + 1)));
  const all = await listen(`${url}/api/v2/events?last_event_id=0&follow=false`, readerKey());
  await eventually(() => all.hasEnded, { what: 'it ends' });
  expect(heard(all)).toEqual(kept.map(({ position }) => String(position)));
});

test('a client that is cut off before the first events knows where it was', async () => {
  const url = await start();
  gateway.rpc.on(listNotifications, () => ({ notifications: [happened(8)], position: 8, isGap: true }));
  const listener = await listen(`${url}/api/v2/events?follow=false`, readerKey(), { 'last-event-id': '3' });
  await eventually(() => listener.hasEnded, { what: 'it ends' });
  expect([...listener.text.matchAll(/id: (\d+)\nevent: (.+)/g)].map(([, id, type]) => [id, type])).toEqual([
    ['3', 'stream.position'],
    ['3', 'stream.reset'],
    ['8', 'deletion.done'],
  ]);
});

test('a stream outlasts an outage of the service behind it', async () => {
  const url = await start();
  const listener = await listen(`${url}/api/v2/events`, readerKey());
  gateway.rpc.on(listNotifications, () => {
    throw unavailable('service_unavailable', 'away');
  });
  gateway.events.tell(notificationsRecorded, { recorded: [BOUNDS] });
  gateway.rpc.on(listNotifications, () => ({ notifications: [happened(9)], position: 9, isGap: false }));
  await eventually(() => heard(listener).includes('9'), { what: 'the event arrives after all' });
  listener.stop();
});

describe('a stream ends', () => {
  test('within a second when its key is revoked, and no other does', async () => {
    const url = `${await start()}/api/v2/events`;
    const [mine, other] = [readerKey({ id: '01890a5d-ac96-774b-bcce-b302099a8001' }), readerKey()];
    const [ended, staying] = [await listen(url, mine), await listen(url, other)];
    keys.revoke(mine);
    const begunAt = performance.now();
    gateway.events.tell(apiKeysChanged, { id: '01890a5d-ac96-774b-bcce-b302099a8001' });
    let lastOpenAt = begunAt;
    const hasEnded = (): boolean => {
      if (!ended.hasEnded) lastOpenAt = performance.now();
      return ended.hasEnded;
    };
    await eventually(hasEnded, { what: 'the stream ends' });
    expect(lastOpenAt - begunAt).toBeLessThan(1_000);
    expect(staying.hasEnded).toBe(false);
    staying.stop();
  });

  test('when the key of its session of a browser is revoked', async () => {
    const url = await start();
    const session = { [SESSION_HEADER]: '1' };
    const secret = readerKey({ id: '01890a5d-ac96-774b-bcce-b302099a8001' });
    const opened = await fetch(`${url}/console/session`, {
      method: 'POST',
      headers: { ...bearer(secret), ...session },
    });
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';', 1);
    const listener = await listen(`${url}/api/v2/events`, { ...session, cookie });
    keys.revoke(secret);
    gateway.events.tell(apiKeysChanged, { id: '01890a5d-ac96-774b-bcce-b302099a8001' });
    await eventually(() => listener.hasEnded, { what: 'the stream ends' });
  });

  test('when its key has expired and something happens', async () => {
    const url = `${await start()}/api/v2/events`;
    const secret = readerKey({ expiresAt: new Date(Date.now() + 5_000).toISOString() });
    const listener = await listen(url, secret);
    keys.revoke(secret);
    const isExpired = async (): Promise<boolean> =>
      (await fetch(`${url}?follow=false`, { headers: bearer(secret) })).status === 401;
    await eventually(isExpired, { what: 'the key expires' });
    kept.push(happened(1));
    gateway.events.tell(notificationsRecorded, { recorded: [BOUNDS] });
    await eventually(() => listener.hasEnded, { what: 'the stream ends' });
    expect(heard(listener)).toEqual([]);
  });

  test('when the gateway does', async () => {
    const listener = await listen(`${await start()}/api/v2/events`, readerKey());
    await gateway.app.close();
    await eventually(() => listener.hasEnded, { what: 'the stream ends' });
  });
});

describe('429', () => {
  test('a key has no more streams than its share, and one that ends makes room', async () => {
    const url = `${await start({ MAX_EVENT_STREAMS: '5' })}/api/v2/events`;
    const secret = readerKey();
    const [first, second] = [await listen(url, secret), await listen(url, secret)];
    const open = async (): Promise<number> => {
      const { status, body } = await fetch(`${url}?follow=false`, { headers: bearer(secret) });
      await body?.cancel();
      return status;
    };
    expect(await open()).toBe(429);
    first.stop();
    await eventually(async () => (await open()) === 200, { what: 'there is room again' });
    second.stop();
  });
});

describe('422', () => {
  test.each([
    ['types=everything', ['query', 'types']],
    ['last_event_id=latest', ['query', 'last_event_id']],
    ['follow=perhaps', ['query', 'follow']],
  ])('%s', async (query, loc) => {
    const url = await start();
    const response = await fetch(`${url}/api/v2/events?${query}`, { headers: bearer(readerKey()) });
    const { detail } = (await response.json()) as { detail: { loc: unknown }[] };
    expect([response.status, detail[0]?.loc]).toEqual([422, loc]);
  });
});

test('events of the deployment are for administrators without an organization', async () => {
  const url = await start();
  const ask = async (scopes: readonly ('read' | 'admin')[], bounds: object): Promise<boolean | undefined> => {
    const secret = keys.add({ scopes, bounds });
    await fetch(`${url}/api/v2/events?follow=false`, { headers: bearer(secret) }).then((answer) =>
      answer.text(),
    );
    return gateway.rpc.requests(listNotifications).at(-1)?.ofDeployment;
  };
  expect(await ask(['admin'], {})).toBe(true);
  expect(await ask(['read'], {})).toBe(false);
  expect(await ask(['admin'], { orgId: 'acme' })).toBe(false);
});
