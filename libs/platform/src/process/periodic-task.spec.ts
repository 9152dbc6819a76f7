import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RequestContext } from '../context/request-context.js';
import { Logger } from '../logging/logger.js';
import { PeriodicTask, SLOWEST } from './periodic-task.js';

class Warnings extends Logger {
  readonly messages: string[] = [];
  override debug(): void {}
  override info(): void {}
  override error(): void {}
  override warn(message: string): void {
    this.messages.push(message);
  }
}

test('goes on after a failure, never overlaps, and stops when told, after the current run', async () => {
  const logger = new Warnings();
  let runs = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const enough = new Promise<void>((resolve) => {
    const task = new PeriodicTask({
      name: 'sweep',
      intervalMs: 1,
      logger,
      work: async () => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await new Promise(setImmediate);
        atOnce -= 1;
        if (++runs === 1) throw new Error('first run fails');
        if (runs === 3) void task.stop().then(resolve);
      },
    });
    task.start();
  });
  await enough;
  expect({ runs, mostAtOnce }).toEqual({ runs: 3, mostAtOnce: 1 });
  expect(logger.messages).toEqual(['sweep failed; trying again in 1 ms']);
});

test('what a request wakes belongs to no request, however long it goes on', async () => {
  const requests: (string | undefined)[] = [];
  const enough = new Promise<void>((resolve) => {
    const task = new PeriodicTask({
      name: 'sweep',
      intervalMs: 1,
      logger: new Warnings(),
      work: () => {
        requests.push(RequestContext.current()?.requestId);
        if (requests.length === 3) void task.stop().then(resolve);
        return Promise.resolve();
      },
    });
    RequestContext.run({ requestId: 'first', deadlineMs: 1 }, () => {
      task.start();
    });
  });
  await enough;
  expect(requests).toEqual([undefined, undefined, undefined]);
});

describe('a task that finds nothing', () => {
  let now = 0;
  let found = false;
  let runs: number[] = [];
  let task: PeriodicTask;

  /** Lets time pass, second by second. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      await jest.advanceTimersByTimeAsync(1_000);
    }
  };

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    [now, found, runs] = [0, false, []];
    task = new PeriodicTask({
      name: 'look',
      intervalMs: 1_000,
      logger: new Warnings(),
      work: () => Promise.resolve((runs.push(now / 1_000), found)),
    });
  });

  afterEach(async () => {
    await task.stop();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  test(`waits longer each time, up to ${SLOWEST} times its interval`, async () => {
    task.start();
    await pass(30);
    expect(runs).toEqual([0, 2, 6, 12, 18, 24, 30]);
  });

  test('runs at once when it is woken, and then at its interval while it finds something', async () => {
    task.start();
    await pass(13);
    found = true;
    task.wake();
    await jest.advanceTimersByTimeAsync(0);
    await pass(2);
    expect(runs).toEqual([0, 2, 6, 12, 13, 14, 15]);
  });

  test('runs no more often than its interval says, however often it is woken', async () => {
    found = true;
    task.start();
    for (let second = 0; second < 4; second += 1) {
      for (let times = 0; times < 5; times += 1) task.wake();
      await pass(1);
    }
    expect(runs).toEqual([0, 1, 2, 3, 4]);
  });

  test('stays at its interval until something is due', async () => {
    task.start();
    await jest.advanceTimersByTimeAsync(0);
    await pass(1);
    task.stayAwake(3_000);
    await jest.advanceTimersByTimeAsync(0);
    await pass(20);
    expect(runs).toEqual([0, 1, 2, 3, 4, 6, 10, 16]);
  });

  test('does not run after it was stopped, whatever wakes it', async () => {
    task.start();
    await pass(1);
    await task.stop();
    task.wake();
    task.stayAwake(5_000);
    await pass(10);
    expect(runs).toEqual([0]);
  });
});
