import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { operation } from '@loci/contracts';
import { RpcClient } from '../rpc/rpc-client.js';
import { OwnNats } from '../../test/own-nats.js';
import { eventually, RecordingLogger } from '@loci/testing';
import { NatsLink } from './nats-link.js';
import { ConnectionLostError, NatsUnreachableError } from './nats-unreachable.error.js';

class Empty {}

const ask = operation('episodic', 'link-spec.ask', { request: Empty, response: Empty });
const logger = new RecordingLogger();
const name = 'link-spec';

let nats: OwnNats;

beforeEach(async () => {
  nats = await OwnNats.start();
});

afterEach(() => nats.destroy());

test('a process without NATS does not start, and says where it looked', async () => {
  await nats.kill();
  const start = NatsLink.connect({ url: nats.url.replace('//', '//me:secret@'), name }, logger, 300);
  await expect(start).rejects.toThrow(NatsUnreachableError);
  await expect(start).rejects.toThrow(nats.url);
  await expect(start).rejects.not.toThrow('secret');
});

test('a server that starts a moment later is waited for', async () => {
  await nats.kill();
  const starting = NatsLink.connect({ url: nats.url, name }, logger);
  await nats.start();
  const link = await starting;
  expect(link.isConnected).toBe(true);
  await link.close();
});

test('while the server is down calls fail at once; when it is back they work', async () => {
  const link = await NatsLink.connect({ url: nats.url, name }, logger);
  const client = new RpcClient(link);
  link.connection.subscribe(ask.subject, {
    callback: (_, message) => void message.respond('{"response":{"ok":true}}'),
  });
  await expect(client.call(ask, {})).resolves.toEqual({ ok: true });

  await nats.kill();
  await eventually(() => !link.isConnected, { what: 'the loss is noticed' });
  const started = performance.now();
  await expect(client.call(ask, {})).rejects.toMatchObject({
    code: 'service_unavailable',
    details: { retryAfterSeconds: 1 },
  });
  expect(performance.now() - started).toBeLessThan(ask.timeoutMs / 2);

  await nats.start();
  await eventually(() => client.call(ask, {}), { what: 'calls work again' });
  await link.close();
});

test('a call that waits for its answer fails when the connection is lost, not at its timeout', async () => {
  const link = await NatsLink.connect({ url: nats.url, name }, logger);
  let asked = false;
  link.connection.subscribe(ask.subject, { callback: () => void (asked = true) });
  const started = performance.now();
  const call = expect(new RpcClient(link).call(ask, {})).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  await eventually(() => asked, { what: 'the question arrived' });
  await nats.kill();
  await call;
  expect(performance.now() - started).toBeLessThan(ask.timeoutMs / 2);
  await link.close();
});

test('a call that the server does not permit fails when it says so, not at its timeout', async () => {
  await nats.forbid(ask.subject);
  const link = await NatsLink.connect({ url: nats.url, name }, logger);
  link.connection.subscribe(ask.subject, { callback: () => undefined });
  const started = performance.now();
  await expect(new RpcClient(link).call(ask, {})).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(performance.now() - started).toBeLessThan(ask.timeoutMs / 2);
  await link.close();
});

test('closing while the server is down takes no time, and nothing works afterwards', async () => {
  const link = await NatsLink.connect({ url: nats.url, name }, logger);
  await nats.kill();
  await eventually(() => !link.isConnected, { what: 'the loss is noticed' });
  const started = performance.now();
  await link.close();
  // sooner than what was sent is waited for
  expect(performance.now() - started).toBeLessThan(4_000);
  await expect(link.whileConnected(() => Promise.resolve(1))).rejects.toThrow(ConnectionLostError);
});
