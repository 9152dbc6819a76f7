import { setImmediate } from 'node:timers/promises';
import { Metrics } from '@loci/platform';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type CallLimits, DEFAULT_LIMITS } from './call-limits.js';
import { ModelPauses } from './model-pauses.js';
import { ProviderCalls } from './provider-calls.js';
import { type FailureKind, ProviderFailure } from './provider-failure.js';
import { retryAfterMs } from './retry-after.js';

afterEach(() => {
  jest.useRealTimers();
});

function callsWith(
  limits: Partial<CallLimits> = {},
  onCircuitOpen: (reason: string) => void = () => undefined,
  pauses = new ModelPauses(),
) {
  const metrics = new Metrics('test');
  const calls = new ProviderCalls({
    resource: { kind: 'reranker', name: 'mine' },
    limits: { ...DEFAULT_LIMITS.reranker, maxAttempts: 4, firstPauseMs: 1, ...limits },
    maxRetryIntervalSeconds: 120,
    metrics,
    pause: pauses.of(
      { kind: 'reranker', name: 'mine', provider: 'cohere', config: {} },
      limits.firstPauseMs ?? 1,
    ),
    onCircuitOpen,
    toFailure: () => new ProviderFailure('broken', 'broke'),
  });
  return { calls, metrics };
}

/** An attempt that fails with each of the given kinds in turn, then succeeds. */
function failing(...kinds: readonly FailureKind[]) {
  let attempts = 0;
  const attempt = (): Promise<string> => {
    const kind = kinds[attempts];
    attempts += 1;
    return kind === undefined
      ? Promise.resolve('done')
      : Promise.reject(new ProviderFailure(kind, `failed with ${kind}`));
  };
  return { attempt, attempts: () => attempts };
}

describe('attempts', () => {
  test('are repeated while the failure may pass', async () => {
    const { calls, metrics } = callsWith();
    const { attempt, attempts } = failing('unreachable', 'overloaded', 'timeout');
    expect(await calls.run(attempt)).toBe('done');
    expect(attempts()).toBe(4);
    const rendered = await metrics.render();
    expect(rendered).toMatch(/model_retries_total\{[^}]*\} 3/);
    expect(rendered).toMatch(/model_calls_total\{[^}]*outcome="ok"[^}]*\} 1/);
  });

  test('end after their number', async () => {
    const { attempt, attempts } = failing(...Array<FailureKind>(9).fill('broken'));
    await expect(callsWith({ maxAttempts: 3 }).calls.run(attempt)).rejects.toMatchObject({
      code: 'reranker_unavailable',
      message: "The reranker 'mine' failed with broken.",
    });
    expect(attempts()).toBe(3);
  });

  test.each(['unauthorized', 'unknown_model', 'misconfigured', 'rejected', 'input_too_long'] as const)(
    'are not repeated after %s',
    async (kind) => {
      const { attempt, attempts } = failing(kind);
      await expect(callsWith().calls.run(attempt)).rejects.toMatchObject({ cause: { reason: kind } });
      expect(attempts()).toBe(1);
    },
  );

  test('wait as long as the provider asks for', async () => {
    let attempts = 0;
    const startedAtMs = performance.now();
    await callsWith().calls.run(() => {
      attempts += 1;
      return attempts > 1
        ? Promise.resolve()
        : Promise.reject(new ProviderFailure('overloaded', 'full', { retryAfterMs: 60 }));
    });
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(59);
  });

  test('are not begun when the pause would outlast the time for the whole call', async () => {
    const { calls } = callsWith({ totalTimeoutMs: 500 });
    await expect(
      calls.run(() => Promise.reject(new ProviderFailure('overloaded', 'full', { retryAfterMs: 2000 }))),
    ).rejects.toMatchObject({ details: { retryAfterSeconds: 2 } });
  });

  test('end with the time for the whole call, even if the provider never answers', async () => {
    const { calls } = callsWith({ totalTimeoutMs: 20, attemptTimeoutMs: 60_000 });
    await expect(calls.run(() => new Promise(() => undefined))).rejects.toMatchObject({
      cause: { reason: 'timeout' },
    });
  });
});

describe('a provider that asks for a pause', () => {
  const full = (retryAfterMs: number): Promise<never> =>
    Promise.reject(new ProviderFailure('overloaded', 'full', { retryAfterMs }));

  test('is not called until that is over: by those who may not wait so long, who fail at once and say until when', async () => {
    const pauses = new ModelPauses();
    const { calls } = callsWith({ maxAttempts: 1, concurrency: 1 }, undefined, pauses);
    const { calls: ofOther } = callsWith({ maxAttempts: 1 }, undefined, pauses);
    await expect(calls.run(() => full(60_000))).rejects.toThrow('full');
    const { attempt, attempts } = failing();
    for (const caller of [calls, ofOther]) {
      await expect(caller.run(attempt, { maxPauseMs: 20 })).rejects.toMatchObject({
        details: { retryAfterSeconds: 60 },
        cause: { reason: 'paused' },
      });
    }
    expect(attempts()).toBe(0);
  });

  test('nor by those who may wait for it', async () => {
    const pauses = new ModelPauses();
    const { calls } = callsWith({ maxAttempts: 1, concurrency: 1 }, undefined, pauses);
    const { calls: ofOther } = callsWith({ maxAttempts: 1 }, undefined, pauses);
    const begunAtMs = Date.now();
    await expect(calls.run(() => full(150))).rejects.toThrow('full');
    const { attempt, attempts } = failing();
    await Promise.all([calls.run(attempt), ofOther.run(attempt), calls.run(attempt)]);
    expect(attempts()).toBe(3);
    expect(Date.now() - begunAtMs).toBeGreaterThanOrEqual(149);
  });

  test('keeps calls from the provider that waited for their turn when it asked', async () => {
    const { calls } = callsWith({ maxAttempts: 1, concurrency: 1 });
    const first = calls.run(() => full(60_000));
    const { attempt, attempts } = failing();
    const second = calls.run(attempt, { maxPauseMs: 20 });
    await expect(first).rejects.toThrow('full');
    await expect(second).rejects.toMatchObject({ cause: { reason: 'paused' } });
    expect(attempts()).toBe(0);
  });

  test('is asked at once when a person has it tried again: by who waits for the pause, and by who was refused', async () => {
    const pauses = new ModelPauses();
    const { calls } = callsWith({ maxAttempts: 2, totalTimeoutMs: 600_000 }, undefined, pauses);
    let refused = 0;
    const refusedOnce = calls.run(() => ((refused += 1) === 1 ? full(60_000) : Promise.resolve()));
    await setImmediate();
    const { attempt, attempts } = failing();
    const waiting = calls.run(attempt);
    await setImmediate();
    expect([refused, attempts()]).toEqual([1, 0]);
    pauses.resume(calls.resource);
    await Promise.all([refusedOnce, waiting]);
    expect([refused, attempts()]).toEqual([2, 1]);
  });

  test('that is longer than the call has time is not waited for', async () => {
    const { calls } = callsWith({ totalTimeoutMs: 500 });
    const { attempt, attempts } = failing();
    await expect(calls.run(() => full(2_000))).rejects.toThrow('full');
    await expect(calls.run(attempt)).rejects.toMatchObject({ cause: { reason: 'paused' } });
    expect(attempts()).toBe(0);
  });
});

describe('the circuit', () => {
  const limits = { maxAttempts: 1, circuitThreshold: 2, circuitPauseMs: 20 };

  test('opens after failures in a row, says why, and keeps the provider free of calls', async () => {
    const reasons: string[] = [];
    const { calls, metrics } = callsWith({ ...limits, circuitPauseMs: 60_000 }, (reason) =>
      reasons.push(reason),
    );
    const { attempt, attempts } = failing('unreachable', 'unauthorized');
    await expect(calls.run(attempt)).rejects.toThrow('unreachable');
    await expect(calls.run(attempt)).rejects.toThrow('unauthorized');
    await expect(calls.run(attempt)).rejects.toMatchObject({ details: { retryAfterSeconds: 60 } });
    expect(attempts()).toBe(2);
    expect(reasons).toEqual(['failed with unauthorized']);
    expect(await metrics.render()).toMatch(/model_circuit_open\{[^}]*\} 1/);
  });

  test('lets a call through after its pause and closes when that succeeds', async () => {
    const { calls, metrics } = callsWith(limits);
    const { attempt } = failing('unreachable', 'unreachable');
    await expect(calls.run(attempt)).rejects.toThrow();
    await expect(calls.run(attempt)).rejects.toThrow();
    for (let reply = ''; reply === '';) reply = await calls.run(attempt).catch(() => '');
    expect(await calls.run(attempt)).toBe('done');
    expect(await metrics.render()).toMatch(/model_circuit_open\{[^}]*\} 0/);
  });

  test.each([-3_600_000, 3_600_000])(
    'pauses as long where the clock is set by %i ms meanwhile',
    async (ms) => {
      jest.useFakeTimers();
      const { calls } = callsWith({ ...limits, circuitPauseMs: 60_000 });
      const { attempt, attempts } = failing('unreachable', 'unreachable');
      await expect(calls.run(attempt)).rejects.toThrow();
      await expect(calls.run(attempt)).rejects.toThrow();
      jest.setSystemTime(Date.now() + ms);
      await expect(calls.run(attempt)).rejects.toMatchObject({ details: { retryAfterSeconds: 60 } });
      jest.advanceTimersByTime(60_000);
      expect(await calls.run(attempt)).toBe('done');
      expect(attempts()).toBe(3);
    },
  );

  test.each(['overloaded', 'rejected', 'input_too_long'] as const)('stays closed after %s', async (kind) => {
    const { calls } = callsWith(limits);
    const { attempt, attempts } = failing(kind, kind, kind, kind);
    for (let call = 0; call < 4; call += 1) await calls.run(attempt).catch(() => undefined);
    expect(attempts()).toBe(4);
  });
});

describe('turns', () => {
  test('are limited, and urgent calls do not queue behind background work', async () => {
    const { calls } = callsWith({ concurrency: 2, maxWaiting: 1 });
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const background = [1, 2, 3].map(() => calls.run(() => gate));
    await expect(calls.run(() => gate)).rejects.toMatchObject({ cause: { reason: 'overloaded' } });
    expect(await calls.run(() => Promise.resolve('urgent'), { isUrgent: true })).toBe('urgent');
    release();
    await Promise.all(background);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2030-01-01T00:00:00Z');

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j means %s ms', (headers, expected) => {
    expect(retryAfterMs(headers, nowMs)).toBe(expected);
    expect(retryAfterMs(new Headers(headers as Record<string, string>), nowMs)).toBe(expected);
  });
});
