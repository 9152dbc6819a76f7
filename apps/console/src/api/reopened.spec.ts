import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LociError } from '@loci/client';
import { ASK_AGAIN_MS } from './ask-again.js';
import { reopened } from './reopened.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Brings one thing each time that it is opened, and breaks. */
function breaking(error: Error) {
  const left = new AbortController();
  let opened = 0;
  const failures: unknown[] = [];
  async function* open(): AsyncGenerator<number> {
    opened += 1;
    yield opened;
    throw await Promise.resolve(error);
  }
  const brought: number[] = [];
  const listen = async (): Promise<void> => {
    const onFailure = (failure: unknown): void => void failures.push(failure);
    for await (const one of reopened(open, { signal: left.signal, onFailure })) brought.push(one);
  };
  const ended = listen().catch((reason: unknown) => reason);
  return { left, failures, brought, ended };
}

test.each([
  new LociError(0, 'connection_failed', 'No.'),
  new LociError(503, 'busy', 'No.'),
  new Error('Silent.'),
])('a stream that breaks is opened again, and says why nothing comes: %p', async (error) => {
  const { left, failures, brought, ended } = breaking(error);
  await jest.advanceTimersByTimeAsync(2 * ASK_AGAIN_MS);
  expect(brought).toEqual([1, 2, 3]);
  expect(failures).toEqual([error, error, error]);
  left.abort(new Error('left'));
  expect(await ended).toEqual(new Error('left'));
  await jest.advanceTimersByTimeAsync(10 * ASK_AGAIN_MS);
  expect(brought).toEqual([1, 2, 3]);
});

test.each([401, 403, 404, 422])('one that is refused (%d) is not', async (status) => {
  const refusal = new LociError(status, 'refused', 'No.');
  const { brought, ended } = breaking(refusal);
  expect(await ended).toBe(refusal);
  expect(brought).toEqual([1]);
});
