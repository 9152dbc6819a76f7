import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LociError } from '@loci/client';
import { notifyManager, QueryCache, QueryClient, QueryObserver } from '@tanstack/react-query';
import { ASK_AGAIN_MS, askAgain } from './ask-again.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const failure = (status: number): LociError => new LociError(status, 'code', 'It failed.');

/** A question that fails so often before there is an answer, and a view that shows it. */
async function asked(error: LociError, failures: number) {
  const client = new QueryClient({ queryCache: new QueryCache({ onError: askAgain }) });
  const ask = jest.fn<() => Promise<string>>().mockResolvedValue('the answer');
  for (let failed = 0; failed < failures; failed += 1) ask.mockRejectedValueOnce(error);
  const observer = new QueryObserver(client, { queryKey: ['it'], queryFn: ask, retry: false });
  const shown: string[] = [];
  // as views are told
  const show = notifyManager.batchCalls(() => {
    const { data, error: told, status } = observer.getCurrentResult();
    shown.push(data ?? told?.message ?? status);
  });
  const leave = observer.subscribe(show);
  await jest.advanceTimersByTimeAsync(0);
  return { client, ask, shown, leave, observer };
}

test.each([0, 502, 503, 504])(
  'a question without an answer (%d) is asked again until there is one',
  async (status) => {
    const { ask, observer, leave } = await asked(failure(status), 3);
    expect(observer.getCurrentResult().isError).toBe(true);
    await jest.advanceTimersByTimeAsync(3 * ASK_AGAIN_MS);
    expect(ask).toHaveBeenCalledTimes(4);
    expect(observer.getCurrentResult().data).toBe('the answer');
    await jest.advanceTimersByTimeAsync(10 * ASK_AGAIN_MS);
    expect(ask).toHaveBeenCalledTimes(4);
    leave();
  },
);

test('the failure stays in sight meanwhile', async () => {
  const { shown, leave } = await asked(failure(0), 3);
  await jest.advanceTimersByTimeAsync(4 * ASK_AGAIN_MS);
  expect(new Set(shown.slice(shown.indexOf('It failed.')))).toEqual(new Set(['It failed.', 'the answer']));
  leave();
});

test.each([401, 403, 404, 409, 422, 500])('what was refused (%d) is not', async (status) => {
  const { ask, leave } = await asked(failure(status), 1);
  await jest.advanceTimersByTimeAsync(10 * ASK_AGAIN_MS);
  expect(ask).toHaveBeenCalledTimes(1);
  leave();
});

test('what no view shows any more is not', async () => {
  const { ask, leave } = await asked(failure(0), 1);
  leave();
  await jest.advanceTimersByTimeAsync(10 * ASK_AGAIN_MS);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('what was asked again in another way is asked once', async () => {
  const { ask, observer, leave } = await asked(failure(0), 2);
  await jest.advanceTimersByTimeAsync(ASK_AGAIN_MS / 2);
  await observer.refetch();
  await jest.advanceTimersByTimeAsync(ASK_AGAIN_MS);
  expect(ask).toHaveBeenCalledTimes(3);
  leave();
});
