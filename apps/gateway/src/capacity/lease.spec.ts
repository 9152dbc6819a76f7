import { describe, expect, test } from '@jest/globals';
import { Metrics } from '@loci/platform';
import { Capacity } from './capacity.js';
import { type Lease } from './lease.js';
import { HANDLING_FACTOR } from './memory-budget.js';
import { OneByOne } from './one-by-one.js';

const MEBIBYTE = 1024 * 1024;
const X = { org: 'x', key: 'x1' };
const Y = { org: 'y', key: 'y1' };

const capacity = (maxWaitMs = 10, metrics = new Metrics('spec')): Capacity =>
  new Capacity(
    {
      slots: 10,
      bytes: 100 * MEBIBYTE,
      waiting: 10,
      uploads: 10,
      receivingBytes: MEBIBYTE,
      shares: { organization: 0.5, key: 0.4 },
      maxWaitMs,
      maxNewcomerWaitMs: 60_000,
      weightOf: () => 1,
    },
    metrics,
  );

const handlingBytes = async (metrics: Metrics): Promise<number> =>
  Number(/^http_handling_bytes\S* (\S+)$/m.exec(await metrics.render())?.[1]);

describe('what goes to services and comes from them', () => {
  const LARGE = 4 * MEBIBYTE;

  test('takes slots by its size: large requests of a key come one after the other, beside those of others', async () => {
    const gateway = capacity();
    const large = gateway.lease(X);
    await large.begin(0, LARGE);
    await expect(gateway.lease(X).begin(0, LARGE)).rejects.toMatchObject({ code: 'overloaded' });
    await gateway.lease(Y).begin(0, 1_000);
    large.end();
    await gateway.lease(X).begin(0, LARGE);
  });

  test('is expected to be as large as before, for the route and the organization', async () => {
    const gateway = capacity();
    const first = gateway.lease(X, { route: '/list' });
    await first.begin(0);
    first.takeReply(MEBIBYTE);
    first.end();
    const next = gateway.lease(X, { route: '/list' });
    await next.begin(0);
    await expect(gateway.lease(X, { route: '/list' }).begin(0)).rejects.toMatchObject({ code: 'overloaded' });
    await gateway.lease(Y, { route: '/list' }).begin(0);
    next.end();
    await gateway.lease(X, { route: '/add' }).begin(0);
    await gateway.lease(X, { route: '/add' }).begin(0);
  });
});

describe('what services answer', () => {
  test('takes memory of the share of its key, as much as working on it does', async () => {
    const gateway = capacity();
    const lists = [gateway.lease(X), gateway.lease(X)];
    for (const lease of lists) await lease.begin(0);
    lists[0]?.takeReply(4 * MEBIBYTE);
    expect(() => lists[1]?.takeReply(4 * MEBIBYTE)).toThrow(/of this key at once/);
    const other = gateway.lease(Y);
    await other.begin(0);
    other.takeReply(4 * MEBIBYTE);
    lists[0]?.end();
    lists[1]?.takeReply(4 * MEBIBYTE);
  });

  test('is taken beyond a share when nothing else runs: a small heap refuses no large search for ever', async () => {
    const gateway = capacity();
    const search = gateway.lease(X);
    await search.begin(MEBIBYTE);
    search.takeReply(8 * MEBIBYTE);
    search.takeReply(7 * MEBIBYTE);
    const other = gateway.lease(Y);
    await expect(other.begin(MEBIBYTE)).rejects.toMatchObject({ code: 'service_unavailable' });
    search.end();
    await gateway.lease(Y).begin(MEBIBYTE);
  });

  test('is never refused when it is small: it may be of something that is done already', async () => {
    const gateway = capacity();
    const large = gateway.lease(X);
    await large.begin(40 * MEBIBYTE);
    const write = gateway.lease(Y);
    await write.begin(40 * MEBIBYTE);
    for (let count = 0; count < 10; count += 1) write.takeReply(200 * 1024);
  });

  test('makes the next request of the key wait until it is out', async () => {
    const gateway = capacity();
    const list = gateway.lease(X);
    await list.begin(0);
    list.takeReply((39 * MEBIBYTE) / HANDLING_FACTOR);
    await expect(gateway.lease(X).begin(2 * MEBIBYTE)).rejects.toMatchObject({ code: 'overloaded' });
    list.answer(MEBIBYTE);
    await gateway.lease(X).begin(2 * MEBIBYTE);
  });
});

describe('the results of a batch, which are kept until the last of them is there', () => {
  const run = (lease: Lease, calls: readonly (readonly number[])[]) => {
    const batch = new OneByOne(lease);
    const work = (answers: readonly number[]) => () => {
      for (const bytes of answers) lease.takeReply(bytes);
      return Promise.resolve();
    };
    return Promise.allSettled(calls.map((answers) => batch.run(work(answers))));
  };
  const isDone = ({ status }: PromiseSettledResult<void>): boolean => status === 'fulfilled';
  const REFUSED = { status: 'rejected', reason: { code: 'overloaded' } };

  test('are within the share of their key, and a later one that is not is refused alone', async () => {
    const gateway = capacity();
    const lease = gateway.lease(X);
    await lease.begin(MEBIBYTE);
    const settled = await run(
      lease,
      [1, 8, 0.2, 0.01].map((mebibytes) => [mebibytes * MEBIBYTE]),
    );
    expect(settled.map(isDone)).toEqual([true, false, true, true]);
    expect(settled[1]).toMatchObject(REFUSED);
    lease.answer(MEBIBYTE);
    lease.end();
    await gateway.lease(Y).begin(100 * MEBIBYTE);
  });

  test('are beyond it where the first is by itself: what comes behind does not begin', async () => {
    const lease = capacity().lease(X);
    await lease.begin(MEBIBYTE);
    const settled = await run(lease, [[8 * MEBIBYTE], [10], [10]]);
    expect(settled).toMatchObject([{ status: 'fulfilled' }, REFUSED, REFUSED]);
  });

  test.each([
    ['that are taken in any case', [200 * 1024]],
    ['of an ordinary size', [60_000, 60_000, 60_000]],
  ])('are within it together, too: of many %s the last do not begin', async (_, answers) => {
    const metrics = new Metrics('spec');
    const gateway = capacity(10, metrics);
    const lease = gateway.lease(X);
    await lease.begin(MEBIBYTE);
    const used: number[] = [];
    const batch = new OneByOne(lease);
    const settled = await Promise.allSettled(
      Array.from({ length: 32 }, () =>
        batch.run(async () => {
          for (const bytes of answers) lease.takeReply(bytes);
          used.push(await handlingBytes(metrics));
        }),
      ),
    );
    const done = settled.filter(isDone).length;
    expect(done).toBeGreaterThan(20);
    expect(used).toHaveLength(done);
    expect(Math.max(...used)).toBeLessThanOrEqual(40 * MEBIBYTE);
    expect(settled.slice(done)).toMatchObject(Array.from({ length: 32 - done }, () => REFUSED));
    expect(done).toBeLessThan(32);
    expect(await handlingBytes(metrics)).toBeLessThanOrEqual(40 * MEBIBYTE);
    lease.end();
    expect(await handlingBytes(metrics)).toBe(0);
  });

  test('may be many where they are small, and one call may have several answers', async () => {
    const lease = capacity().lease(X);
    await lease.begin(0);
    const calls = Array.from({ length: 32 }, (_, call) =>
      call === 0 ? [MEBIBYTE, MEBIBYTE] : [30_000, 30_000],
    );
    expect((await run(lease, calls)).filter(isDone)).toHaveLength(32);
  });
});

test('steps of transfers wait for the memory of what they will be answered, and are not refused then', async () => {
  const gateway = capacity();
  const transfers = Array.from({ length: 4 }, () => gateway.lease(X));
  for (const lease of transfers) {
    await lease.begin(0);
    lease.pause();
  }
  const pages: number[] = [];
  await Promise.all(
    transfers.map(async (lease, index) => {
      await lease.resume(4 * MEBIBYTE);
      lease.takeReply(3 * MEBIBYTE);
      lease.takeReply(MEBIBYTE);
      await Promise.resolve();
      lease.dropReplies();
      lease.pause();
      pages.push(index);
    }),
  );
  expect(pages).toHaveLength(transfers.length);
  for (const lease of transfers) lease.end();
  await gateway.lease(Y).begin(100 * MEBIBYTE);
});

test('what a waiting request sent counts as received, and one beyond that share neither waits nor keeps anything', async () => {
  const gateway = capacity(60_000);
  const large = gateway.lease(X);
  await large.begin(0, 4 * MEBIBYTE);
  const waiting = gateway.lease(X);
  const turn = waiting.begin(0, 300_000);
  const refused = gateway.lease(X);
  await expect(refused.begin(0, 300_000)).rejects.toMatchObject({ code: 'overloaded' });
  expect(refused.isRunning).toBe(false);
  large.end();
  await turn;
  waiting.end();
  await gateway.lease(X).begin(0, 4 * MEBIBYTE);
});

test('a lease that has ended takes nothing any more', async () => {
  const gateway = capacity();
  const lease = gateway.lease(X);
  lease.openUpload();
  lease.receive(1_000);
  await lease.begin(1_000);
  lease.end();
  await expect(lease.resume()).rejects.toMatchObject({ code: 'overloaded' });
  expect(() => lease.receive(1)).toThrow();
  expect(lease.isRunning).toBe(false);
});

test('what a service answers after the end takes nothing that would never be given back', async () => {
  const gateway = capacity();
  const half = (50 * MEBIBYTE) / HANDLING_FACTOR;
  const lease = gateway.lease(X);
  await lease.begin(0);
  lease.end();
  for (let answers = 0; answers < 100; answers += 1) lease.takeReply(200 * 1024);
  await gateway.lease(X).resume(half);
});

describe('work that goes on beside its answer', () => {
  test('keeps its turn and its memory until it is done', async () => {
    const gateway = capacity();
    const lease = gateway.lease(X);
    await lease.begin(40 * MEBIBYTE);
    const letGo = lease.hold();
    lease.answer(1_000);
    expect(lease.isRunning).toBe(true);
    await expect(gateway.lease(X).begin(40 * MEBIBYTE)).rejects.toMatchObject({ code: 'overloaded' });
    letGo();
    expect(lease.isRunning).toBe(false);
    await gateway.lease(X).begin(39 * MEBIBYTE);
  });

  test('that is let go before its answer keeps its turn until then, as any other', async () => {
    const lease = capacity().lease(X);
    await lease.begin(0);
    lease.hold()();
    expect(lease.isRunning).toBe(true);
    lease.answer(0);
    expect(lease.isRunning).toBe(false);
  });

  test('gives everything back at its end, and when it is done for a client that has gone', async () => {
    const gateway = capacity();
    const [ended, closed] = [gateway.lease(X), gateway.lease(X)];
    await ended.begin(40 * MEBIBYTE);
    ended.hold();
    ended.end();
    await closed.begin(40 * MEBIBYTE);
    const letGo = closed.hold();
    closed.answer(1_000);
    closed.close();
    expect(closed.isRunning).toBe(true);
    letGo();
    await gateway.lease(X).begin(40 * MEBIBYTE);
  });
});

test('a turn is not had by an owner who may not have it any more, and is had by others', async () => {
  const gateway = capacity();
  const refusal = new Error('This key has ended.');
  let hasEnded = false;
  const ended = gateway.lease(X, {
    confirm: () => (hasEnded ? Promise.reject(refusal) : Promise.resolve()),
  });
  await ended.begin(0);
  ended.pause();
  hasEnded = true;
  const half = (50 * MEBIBYTE) / HANDLING_FACTOR;
  await expect(ended.resume(half)).rejects.toBe(refusal);
  expect(ended.isRunning).toBe(false);
  await gateway.lease(X).resume(half);
});
