import { expect, jest, test } from '@jest/globals';
import { BacklogPace } from './backlog-pace.js';
import { type Handled } from './batch-delivery.js';

interface Batch {
  /** Messages that wait when it is done. */
  readonly pending: number | Error;
  readonly mayRest?: boolean;
}

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
    pause: () => Promise.resolve((pauses += 1)),
  });
  for (const { mayRest } of given) {
    const before = pauses;
    await pace.run(() => new Promise<void>((resolve) => setTimeout(resolve, 2)), mayRest);
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
  const rests = await restsBefore(100, { pending: 200, mayRest: false }, { pending: 300, mayRest: true });
  expect(rests).toEqual([false, false, true]);
});

test('goes on at full speed while the backlog is unknown', async () => {
  expect(await restsBefore(new Error('down'), new Error('down'), 0)).toEqual([false, false, false]);
});

test('does not rest for what it waited for servers of others', async () => {
  jest.useFakeTimers();
  let pending = 0;
  const pause = jest.fn((ms: number) => Promise.resolve(ms));
  const pace = new BacklogPace({ pending: () => Promise.resolve((pending += 1)), pause });
  const handle = async (tookMs: number, waitedMs: number): Promise<void> => {
    const handled = pace.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      return { waitedMs };
    });
    await jest.advanceTimersByTimeAsync(tookMs);
    await handled;
  };
  await handle(1_000, 1_000);
  await handle(1_000, 900);
  expect(pause).not.toHaveBeenCalled();
  await handle(1_000, 1_000);
  expect(pause.mock.calls).toEqual([[400]]);
  jest.useRealTimers();
});

test('work that fails is the caller’s to handle', async () => {
  const pace = new BacklogPace({ pending: () => Promise.resolve(0) });
  await expect(pace.run(() => Promise.reject<Handled>(new Error('Qdrant is down')))).rejects.toThrow(
    'Qdrant is down',
  );
});
