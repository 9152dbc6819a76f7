import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { ConsumerBench, type Numbered } from '../../test/consumer-bench.js';
import { OwnNats } from '../../test/own-nats.js';
import { type ReceivedMessage } from './received-message.js';

const ACK_WAIT_MS = 3_000;

let nats: OwnNats;
let bench: ConsumerBench;
let seen: number[];

beforeEach(async () => {
  seen = [];
  nats = await OwnNats.start();
  bench = await ConsumerBench.open(nats.url, 'recovery-spec', ACK_WAIT_MS);
});

afterEach(() => bench.close());
afterEach(() => nats.destroy());

const record = (messages: readonly ReceivedMessage<Numbered>[]): Promise<void> => {
  seen.push(...messages.map(({ payload }) => payload.n));
  return Promise.resolve();
};

const run = (): void => void bench.runner.run(bench.consumer, bench.type, record, { batchSize: 16 });
const sees = (n: number): Promise<unknown> =>
  eventually(() => seen.includes(n), { what: `message ${n} is handled` });
async function fetched(): Promise<number> {
  const metric = /consumer_messages_held\{.*\} (\d+)/.exec(await bench.metrics.render());
  return Number(metric?.[1]);
}

const publishes = (n: number): Promise<unknown> =>
  eventually(
    async () => {
      await bench.publish(n);
      return true;
    },
    { what: `message ${n} is published` },
  );

test('begins before its stream exists', async () => {
  run();
  await bench.publish(1);
  await sees(1);
});

test('goes on after the server was killed and started again, and loses nothing', async () => {
  run();
  await bench.publish(1, 50);
  await sees(50);
  await nats.kill();
  await nats.start();
  await publishes(51);
  await sees(51);
  await eventually(async () => (await bench.pending()) === 0, { what: 'everything is settled' });
  expect(new Set(seen).size).toBe(51);
});

test('goes on after the stream was deleted while it was running', async () => {
  run();
  await bench.publish(1);
  await sees(1);
  await bench.manager.streams.delete(bench.stream.name);
  await publishes(2);
  await sees(2);
});

test('goes on after its consumer was deleted while it was running', async () => {
  run();
  await bench.publish(1);
  await sees(1);
  await bench.manager.consumers.delete(bench.stream.name, bench.consumer.name);
  await bench.publish(2);
  await sees(2);
});

test('goes on after the whole store was wiped', async () => {
  run();
  await bench.publish(1);
  await sees(1);
  await nats.kill();
  await nats.wipe();
  await nats.start();
  await publishes(2);
  await sees(2);
});

test('a late acknowledgement for a wiped store does not swallow the message that has its number now', async () => {
  const finish = new Map<number, () => void>();
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      await record(messages);
      for (const { payload } of messages)
        await new Promise<void>((resolve) => finish.set(payload.n, resolve));
    },
    { batchSize: 1, concurrency: 2 },
  );
  await bench.publish(1);
  await sees(1);
  await nats.kill();
  await nats.wipe();
  await nats.start();
  await publishes(2);
  await sees(2);
  finish.get(1)?.();
  await eventually(async () => (await fetched()) === 1, { what: 'the hand with the first message is free' });
  await bench.link.connection.flush();
  expect(await bench.pending()).toBe(1);
  finish.get(2)?.();
  await eventually(async () => (await bench.pending()) === 0, { what: 'everything is settled' });
});

test('what was being handled when the connection was lost is acknowledged after it, not handled again', async () => {
  // longer than a server on a busy machine takes to be back
  await bench.close();
  bench = await ConsumerBench.open(nats.url, 'recovery-spec', 20_000);
  let finish = (): void => undefined;
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      await record(messages);
      await new Promise<void>((resolve) => (finish = resolve));
    },
    { batchSize: 1 },
  );
  await bench.publish(1);
  await sees(1);
  await nats.stop();
  await eventually(() => !bench.link.isConnected, { what: 'the loss is noticed' });
  finish();
  await nats.start();
  await eventually(async () => (await bench.pending()) === 0, { what: 'it is acknowledged' });
  expect(seen).toEqual([1]);
});

test('handling longer than the server waits for a progress signal is not disturbed', async () => {
  const begun = performance.now();
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      await record(messages);
      await eventually(() => performance.now() - begun > 1.5 * ACK_WAIT_MS, { what: 'long work' });
    },
    { batchSize: 1 },
  );
  await bench.publish(1, 3);
  await eventually(async () => (await bench.pending()) === 0, { what: 'everything is settled' });
  expect(seen).toEqual([1, 2, 3]);
});

test('stops while the server is down', async () => {
  run();
  await bench.publish(1);
  await sees(1);
  await nats.kill();
  await eventually(() => !bench.link.isConnected, { what: 'the loss is noticed' });
  const started = performance.now();
  await bench.runner.beforeApplicationShutdown();
  // sooner than messages are asked for again, or waited for
  expect(performance.now() - started).toBeLessThan(4_000);
});
