import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type ModelPaused } from '@loci/contracts';
import { ModelPauses } from './model-pauses.js';

const MODEL = { kind: 'language_model', name: 'gpt', provider: 'openai', config: { api_key: 'a' } } as const;
const OTHER_KEY = { ...MODEL, config: { api_key: 'b' } };

function pausesAt(random = 0) {
  const told: ModelPaused[] = [];
  const clock = { nowMs: 1_000_000 };
  const pauses = new ModelPauses(
    (paused) => void told.push(paused),
    () => clock.nowMs,
    () => random,
  );
  const refuse = (retryAfterMs?: number, startedAtMs = clock.nowMs): void =>
    pauses.of(MODEL, 500).refused({ startedAtMs, retryAfterMs });
  return { pauses, told, clock, refuse, pause: pauses.of(MODEL, 500) };
}

afterEach(() => {
  jest.useRealTimers();
});

test('a pause is no longer where the clock of the machine is set back meanwhile', () => {
  jest.useFakeTimers();
  const pauses = new ModelPauses();
  pauses.of(MODEL, 500).refused({ startedAtMs: performance.now(), retryAfterMs: 5_000 });
  jest.setSystemTime(Date.now() - 3_600_000);
  expect(pauses.isPaused(MODEL)).toBe(true);
  jest.advanceTimersByTime(5_000);
  expect(pauses.isPaused(MODEL)).toBe(false);
});

test('a pause counts for its model as it is configured, and for no other', () => {
  const { pauses, refuse, clock } = pausesAt();
  refuse(5_000);
  expect(pauses.isPaused(MODEL)).toBe(true);
  expect(pauses.isPaused(OTHER_KEY)).toBe(false);
  expect(pauses.isPaused({ ...MODEL, name: 'other' })).toBe(false);
  clock.nowMs += 5_000;
  expect(pauses.isPaused(MODEL)).toBe(false);
});

test('others are told once, of what is long enough and not known, and never of more than some minutes', () => {
  const { refuse, told, clock } = pausesAt();
  refuse(200);
  for (let call = 0; call < 12; call += 1) refuse(5_000);
  expect(told).toMatchObject([{ kind: 'language_model', name: 'gpt', pauseMs: 5_000 }]);
  expect(JSON.stringify(told)).not.toContain('api_key');
  clock.nowMs += 6_000;
  refuse(86_400_000);
  expect(told.at(-1)).toMatchObject({ pauseMs: 300_000 });
});

test('what another process was told counts here, and is not told again', () => {
  const one = pausesAt();
  const two = pausesAt();
  one.refuse(5_000);
  for (const paused of one.told) two.pauses.heard(paused);
  expect(two.pause.remainingMs()).toBe(5_000);
  expect(two.told).toEqual([]);
});

test('a shorter pause does not end a longer one', () => {
  const { refuse, pause } = pausesAt();
  refuse(60_000);
  refuse(1_000);
  expect(pause.remainingMs()).toBe(60_000);
});

test('of names without end that others tell, the last ones are kept', () => {
  const { pauses, refuse, pause, clock } = pausesAt();
  const beforeMs = clock.nowMs;
  clock.nowMs += 10;
  const [kind, version] = [MODEL.kind, 'v'];
  pauses.resume({ kind, name: MODEL.name });
  for (let name = 0; name < 5_000; name += 1) pauses.resume({ kind, name: String(name) });
  refuse(60_000, beforeMs);
  expect(pause.remainingMs()).toBe(60_000);
  for (let name = 0; name < 5_000; name += 1)
    pauses.heard({ kind, name: String(name), version, pauseMs: 60_000 });
  expect(pause.remainingMs()).toBe(0);
});

test('those who wait come back one after the other', () => {
  for (const [random, waitMs] of [
    [0, 5_000],
    [0.5, 5_500],
    [1, 6_000],
  ] as const) {
    const { refuse, pause } = pausesAt(random);
    refuse(5_000);
    expect(pause.waitMs()).toBe(waitMs);
  }
});

describe('a provider that does not say when to come back', () => {
  test('is left alone for longer with each refusal after a pause, until it takes a request', () => {
    const { refuse, pause, clock } = pausesAt();
    const lengths = Array.from({ length: 10 }, () => {
      refuse();
      const lengthMs = pause.remainingMs();
      clock.nowMs += lengthMs + 1;
      return lengthMs;
    });
    expect(lengths).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    pause.accepted();
    refuse();
    expect(pause.remainingMs()).toBe(500);
  });

  test('says nothing new by the calls that were under way', () => {
    const { refuse, pause, clock } = pausesAt();
    const startedAtMs = clock.nowMs;
    for (let call = 0; call < 8; call += 1) refuse(undefined, startedAtMs);
    expect(pause.remainingMs()).toBe(500);
  });
});

describe('a model that a person has tried again', () => {
  const RESUMED = { kind: MODEL.kind, name: MODEL.name };

  test('is paused no more, however it is configured; others are', () => {
    const { pauses, refuse, pause } = pausesAt();
    refuse(60_000);
    pauses.of(OTHER_KEY, 500).refused({ startedAtMs: 1_000_000, retryAfterMs: 60_000 });
    pauses.of({ ...MODEL, name: 'gpt-2' }, 500).refused({ startedAtMs: 1_000_000, retryAfterMs: 60_000 });
    pauses.resume(RESUMED);
    expect([MODEL, OTHER_KEY].map((model) => pauses.isPaused(model))).toEqual([false, false]);
    expect(pause.waitMs()).toBe(0);
    expect(pauses.isPaused({ ...MODEL, name: 'gpt-2' })).toBe(true);
  });

  test('is paused again by a refusal, but not by one of a call that began before', () => {
    const { pauses, refuse, pause, clock } = pausesAt();
    const beforeMs = clock.nowMs;
    clock.nowMs += 10;
    pauses.resume(RESUMED);
    refuse(60_000, beforeMs);
    expect(pause.remainingMs()).toBe(0);
    refuse(60_000);
    expect(pause.remainingMs()).toBe(60_000);
  });
});
