import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { internal, notFound, unavailable } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { eventually } from '@loci/testing';
import { headersOf } from '../../test/headers-of.js';
import { ConsumerBench, type Numbered } from '../../test/consumer-bench.js';
import { type ReceivedMessage } from './received-message.js';

const URL = process.env['NATS_URL'] ?? '';

/** A batch that is not full is waited for, and what is not given back is delivered again, after thirty seconds. */
const BEFORE_IT_WAITED_MS = 20_000;

let bench: ConsumerBench;
let batches: number[][];

beforeEach(async () => {
  batches = [];
  bench = await ConsumerBench.open(URL, 'runner-spec');
  await bench.removeStream();
  await bench.topology.ensureConsumer(bench.consumer);
});

afterEach(async () => {
  await bench.runner.beforeApplicationShutdown();
  await bench.removeStream();
  await bench.close();
});

const numbers = (messages: readonly ReceivedMessage<Numbered>[]): number[] =>
  messages.map(({ payload }) => payload.n);
const handled = (): number[] => [...new Set(batches.flat())].sort((a, b) => a - b);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const record = (messages: readonly ReceivedMessage<Numbered>[]): Promise<void> => {
  batches.push(numbers(messages));
  return Promise.resolve();
};

const settled = (): Promise<unknown> =>
  eventually(async () => (await bench.pending()) === 0, { what: 'everything is settled' });

test('messages come in batches, each exactly once when nothing goes wrong', async () => {
  await bench.publish(1, 500);
  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 64 });
  await settled();
  expect(handled()).toEqual(range(1, 500));
  expect(batches.flat()).toHaveLength(500);
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(64);
  expect(batches.length).toBeLessThan(100);
});

test('what is delivered for the first time is not noted; what comes again is, while it is handled', async () => {
  const noted: number[] = [];
  await bench.publish(1, 100);
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      noted.push(bench.notes.attempts.size);
      if (messages[0]?.deliveries === 1) throw unavailable('database_unavailable', 'down');
      await record(messages);
    },
    { batchSize: 100 },
  );
  await settled();
  expect(handled()).toEqual(range(1, 100));
  expect(noted[0]).toBe(0);
  expect(Math.max(...noted)).toBeGreaterThan(0);
  expect(bench.notes.attempts.size).toBe(0);
});

test('honest messages cost no statement', async () => {
  await bench.publish(1, 100);
  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 10 });
  await settled();
  // what was set aside is asked for once
  expect(bench.notes.asked).toBe(1);
});

test('a message that comes alone does not wait for a full batch', async () => {
  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 64 });
  await bench.publish(1);
  await eventually(() => batches.length === 1, { what: 'it is handled', timeoutMs: BEFORE_IT_WAITED_MS });
});

test.each([
  ['is told that it is late', 0, true],
  ['is not late before that', 60_000, false],
])('a batch that waited longer than it may %s', async (_, maxLateMs, expected) => {
  const late: boolean[] = [];
  await bench.publish(1);
  bench.runner.run(
    bench.consumer,
    bench.type,
    (messages, { isLate }) => {
      late.push(isLate);
      return record(messages);
    },
    { maxLateMs },
  );
  await settled();
  expect(late).toEqual([expected]);
});

test('batches run side by side as far as allowed, and no further', async () => {
  let now = 0;
  let most = 0;
  const release: (() => void)[] = [];
  await bench.publish(1, 40);
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((resolve) => release.push(resolve));
      now -= 1;
      await record(messages);
    },
    { batchSize: 5, concurrency: 3 },
  );
  await eventually(() => release.length === 3, { what: 'three are at work' });
  await eventually(
    () => {
      for (const go of release.splice(0)) go();
      return handled().length === 40;
    },
    { what: 'all are handled' },
  );
  expect(most).toBe(3);
});

test('one bad message does not harm the others of its batch', async () => {
  await bench.publish(1, 20);
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      if (numbers(messages).includes(13)) throw notFound('project_not_found', 'gone');
      await record(messages);
    },
    { batchSize: 20 },
  );
  await settled();
  expect(handled()).toEqual(range(1, 20).filter((n) => n !== 13));
  expect(bench.sink.letters).toMatchObject([
    {
      stream: bench.stream.name,
      consumer: bench.consumer.name,
      subject: bench.type.subject,
      messageId: 'n13',
      payload: '{"n":13}',
      reason: 'project_not_found: gone',
      deliveries: 1,
    },
  ]);
});

test('a failure that may pass is tried as often as allowed, then goes to the dead letters', async () => {
  let tries = 0;
  await bench.publish(1);
  bench.runner.run(
    bench.consumer,
    bench.type,
    () => {
      tries += 1;
      throw internal('internal_error', 'oops');
    },
    { batchSize: 10, maxDeliver: 3 },
  );
  await settled();
  expect(tries).toBe(3);
  expect(bench.sink.letters).toMatchObject([{ messageId: 'n1', deliveries: 3 }]);
});

test('an outage never uses up the tries, and costs no dead letter', async () => {
  let tries = 0;
  await bench.publish(1);
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      tries += 1;
      if (tries <= 3) throw unavailable('database_unavailable', 'down');
      if (tries === 4) throw internal('internal_error', 'oops');
      await record(messages);
    },
    { batchSize: 10, maxDeliver: 2 },
  );
  await settled();
  expect(handled()).toEqual([1]);
  expect(bench.sink.letters).toEqual([]);
});

test('during an outage a batch is not hammered message by message', async () => {
  let calls = 0;
  await bench.publish(1, 50);
  bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      calls += 1;
      if (calls <= 2) throw unavailable('database_unavailable', 'down');
      await record(messages);
    },
    { batchSize: 50 },
  );
  await settled();
  expect(handled()).toEqual(range(1, 50));
  expect(calls).toBeLessThan(50);
});

test('what does not parse goes to the dead letters at once and reaches no handler', async () => {
  await bench.publishText('no json', 'a');
  await bench.publishText('{"n":"five"}', 'b');
  await bench.publish(1);
  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 10 });
  await settled();
  expect(batches.flat()).toEqual([1]);
  expect(bench.sink.letters).toMatchObject([
    { messageId: 'a', payload: 'no json', deliveries: 1 },
    { messageId: 'b', payload: '{"n":"five"}', deliveries: 1 },
  ]);
});

test('so does what has headers that cannot be read', async () => {
  const send = (header: string): Promise<unknown> =>
    bench.link.connection.request(bench.consumer.subject, '{"n":7}', {
      timeout: 5_000,
      headers: headersOf(header),
    });
  await send('a b: c');
  await send('x-author: !!!');
  await bench.publish(1);
  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 10 });
  await settled();
  expect(batches.flat()).toEqual([1]);
  expect(bench.sink.letters).toMatchObject([
    { messageId: 'RUNNER_SPEC:1', payload: '{"n":7}' },
    { messageId: 'RUNNER_SPEC:2', payload: '{"n":7}' },
  ]);
});

test('a message leaves the stream only when its dead letter is stored', async () => {
  bench.sink.failures = 2;
  await bench.publishText('no json', 'a');
  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 10 });
  await settled();
  expect(bench.sink.letters).toMatchObject([{ messageId: 'a', deliveries: 3 }]);
});

test('stopping finishes what is being handled and gives back the rest', async () => {
  let begun = false;
  let finish = (): void => undefined;
  await bench.publish(1, 4);
  const consumer = bench.runner.run(
    bench.consumer,
    bench.type,
    async (messages) => {
      begun = true;
      await new Promise<void>((resolve) => (finish = resolve));
      await record(messages);
    },
    { batchSize: 2 },
  );
  await eventually(() => begun, { what: 'the first batch is being handled' });
  const stopped = consumer.stop();
  finish();
  await stopped;
  expect(handled()).toEqual([1, 2]);

  bench.runner.run(bench.consumer, bench.type, record, { batchSize: 2 });
  await eventually(() => handled().length === 4, {
    what: 'the rest goes to another worker without waiting',
    timeoutMs: BEFORE_IT_WAITED_MS,
  });
  expect(batches.flat()).toHaveLength(4);
});

test.each([
  ['of another subject', 'evt.episodic.v1.runner-spec.others'],
  ['of its own subject', 'evt.episodic.v1.runner-spec.added'],
])('what another consumer %s is made to deliver here is neither handled nor settled', async (_, subject) => {
  const { link, manager, consumer, stream } = bench;
  const others = { ...consumer, name: 'runner-spec-others', subject };
  await bench.topology.ensureConsumer(others);
  const asked = new Promise<string>((resolve) => {
    link.connection.subscribe(`$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${consumer.name}`, {
      max: 1,
      callback: (_error, { reply = '' }) => resolve(reply),
    });
  });
  bench.runner.run(consumer, bench.type, record, { batchSize: 16 });
  const reply = await asked;
  await bench.publisher.send({ subject, body: '{"n":1}', id: 'forged' });
  link.connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${others.name}`, '1', { reply });
  const infoOfOthers = () => manager.consumers.info(stream.name, others.name);
  await eventually(async () => (await infoOfOthers()).num_ack_pending === 1, { what: 'it is delivered' });
  await bench.publish(2);
  await settled();
  expect(handled()).toEqual(subject === consumer.subject ? [1, 2] : [2]);
  expect(batches.flat()).toHaveLength(handled().length);
  expect((await infoOfOthers()).num_ack_pending).toBe(1);
  expect(bench.sink.letters).toEqual([]);
  expect(bench.logger.lines).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('of another consumer') }),
  );
});

test('the handler works in the request that caused the message', async () => {
  let seen: unknown;
  await RequestContext.run({ requestId: 'r-9', traceparent: '00-t' }, () => bench.publish(1));
  bench.runner.run(
    bench.consumer,
    bench.type,
    ([message]) => {
      seen = { context: RequestContext.current(), scope: message?.scope, id: message?.id };
      return Promise.resolve();
    },
    { batchSize: 10 },
  );
  await settled();
  const scope = { requestId: 'r-9', traceparent: '00-t' };
  expect(seen).toEqual({ context: scope, scope, id: 'n1' });
});

test('pending counts what waits and what is being handled', async () => {
  await bench.publish(1, 5);
  expect(await bench.pending()).toBe(5);
  let finish = (): void => undefined;
  bench.runner.run(bench.consumer, bench.type, () => new Promise<void>((resolve) => (finish = resolve)), {
    batchSize: 5,
  });
  await eventually(
    async () =>
      (await bench.metrics.render()).includes(
        'consumer_messages_held{consumer="runner-spec-consumer",service="spec"} 5',
      ),
    { what: 'they are fetched' },
  );
  expect(await bench.pending()).toBe(5);
  expect(await bench.metrics.render()).toContain(
    'consumer_messages_pending{consumer="runner-spec-consumer",service="spec"} 5',
  );
  finish();
  await settled();
  expect(await bench.metrics.render()).toContain('outcome="handled",service="spec"} 5');
});

test('a consumer that does not exist has nothing pending', async () => {
  await bench.removeStream();
  expect(await bench.pending()).toBe(0);
});

test('a handler for other messages than the consumer receives is a mistake that is named', () => {
  const other = { ...bench.consumer, subject: 'evt.episodic.v1.other.added' };
  expect(() => bench.runner.run(other, bench.type, record, { batchSize: 1 })).toThrow(bench.type.subject);
});
