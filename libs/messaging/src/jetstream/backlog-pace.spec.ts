import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BacklogPace } from './backlog-pace.js';
import { type Handled } from './batch-delivery.js';

interface Batch {
  /** Messages that wait when it is done. */
  readonly pending: number | Error;
  readonly mostMs?: number;
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Whether it rested before each of the batches. */
async function restsBefore(...batches: readonly (Batch | Batch['pending'])[]): Promise<boolean[]> {
  const given = batches.map((batch) =>
    typeof batch === 'number' || batch instanceof Error ? { pending: batch } : batch,
  );
  const pending = given.map((batch) => batch.pending);
  const rests: boolean[] = [];
  let pauses = 0;
  const pace = new BacklogPace({
    pending: () => {
      const next = pending.shift() ?? 0;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    pause: (ms) => {
      pauses += 1;
      return jest.advanceTimersByTimeAsync(ms);
    },
  });
  const work = (): Promise<void> => jest.advanceTimersByTimeAsync(2);
  for (const { mostMs } of given) {
    const before = pauses;
    await pace.run(work, mostMs);
    rests.push(pauses > before);
  }
  return rests;
}

test('rests while more and more is waiting, and not when it keeps up or catches up', async () => {
  expect(await restsBefore(100, 200, 300, 250, 200, 0)).toEqual([false, true, true, true, false, false]);
});

test('does not rest with a long backlog that gets shorter', async () => {
  expect(await restsBefore(0, 0, 0)).toEqual([false, false, false]);
});

test('does not rest before what may not wait any longer', async () => {
  const rests = await restsBefore(100, { pending: 200, mostMs: 0 }, 300);
  expect(rests).toEqual([false, false, true]);
});

test('does not rest for what it did while it kept up', async () => {
  const pending = [0, 0, 1, 2];
  const pause = jest.fn((ms: number) => jest.advanceTimersByTimeAsync(ms));
  const pace = new BacklogPace({ pending: () => Promise.resolve(pending.shift() ?? 0), pause });
  for (const tookMs of [1_000, 1_000, 100, 0]) await pace.run(() => jest.advanceTimersByTimeAsync(tookMs));
  expect(pause.mock.calls.map(([ms]) => ms)).toEqual([400]);
});

test('goes on at full speed while the backlog is unknown', async () => {
  expect(await restsBefore(new Error('down'), new Error('down'), 0)).toEqual([false, false, false]);
});

describe('while more and more is waiting', () => {
  let pause: jest.Mock<(ms: number) => Promise<void>>;
  let pace: BacklogPace;

  beforeEach(() => {
    let waiting = 0;
    pause = jest.fn((ms: number) => jest.advanceTimersByTimeAsync(ms));
    pace = new BacklogPace({ pending: () => Promise.resolve((waiting += 1)), pause });
  });

  const handle = (tookMs: number, waitedMs = 0): Promise<void> =>
    pace.run(async (): Promise<Handled> => {
      await jest.advanceTimersByTimeAsync(tookMs);
      return { waitedMs };
    });

  test('rests four times as long as a batch took, without what was waited for servers of others', async () => {
    await handle(1_000, 1_000);
    await handle(1_000, 900);
    expect(pause).not.toHaveBeenCalled();
    await handle(1_000, 1_000);
    expect(pause.mock.calls.map(([ms]) => ms)).toEqual([400]);
  });

  test('time that passes before the next batch is rest, too', async () => {
    await handle(100);
    await jest.advanceTimersByTimeAsync(400);
    await handle(100);
    expect(pause).not.toHaveBeenCalled();
  });

  test('batches of two consumers come one after the other, each after the rest for the one before', async () => {
    await handle(100);
    let atWork = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, (atWork += 1));
      await jest.advanceTimersByTimeAsync(50);
      atWork -= 1;
    };
    await Promise.all([pace.run(work), pace.run(work), pace.run(work)]);
    expect(most).toBe(1);
    expect(pause.mock.calls.map(([ms]) => ms)).toEqual([400, 200, 200]);
  });

  test('one that may wait for so long begins then, beside the one before', async () => {
    await handle(100);
    const begun = jest.fn();
    let end = (): void => undefined;
    const first = pace.run(() => {
      begun();
      return new Promise<void>((resolve) => (end = resolve));
    });
    const second = jest.fn(() => Promise.resolve());
    await pace.run(second, 500);
    expect(second).toHaveBeenCalledTimes(1);
    const third = jest.fn(() => Promise.resolve());
    const behind = pace.run(third);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(third).not.toHaveBeenCalled();
    end();
    await Promise.all([first, behind]);
  });

  test('one that failed is rested for like any other', async () => {
    const failed = async (): Promise<void> => {
      await jest.advanceTimersByTimeAsync(100);
      throw new Error('Qdrant is down');
    };
    await expect(pace.run(failed)).rejects.toThrow('Qdrant is down');
    await handle(100);
    expect(pause.mock.calls.map(([ms]) => ms)).toEqual([400]);
  });

  test('a batch that fails does not hold up those behind it', async () => {
    await handle(100);
    const failed = pace.run(() => Promise.reject<Handled>(new Error('Qdrant is down')));
    const next = handle(100);
    await expect(failed).rejects.toThrow('Qdrant is down');
    await next;
  });
});

test('work that fails is the caller’s to handle', async () => {
  const pace = new BacklogPace({ pending: () => Promise.resolve(0) });
  await expect(pace.run(() => Promise.reject<Handled>(new Error('Qdrant is down')))).rejects.toThrow(
    'Qdrant is down',
  );
});
