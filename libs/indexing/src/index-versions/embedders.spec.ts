import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Embedder } from '@loci/models';
import { type EmbeddedEmbedder, type Registry } from '@loci/registry';
import { Embedders, isEmbedderOutage, LOCAL_EMBEDDER } from './embedders.js';

const PATIENCE_MS = 3_000;
const MOST_IN_VAIN = 3;
const LEFT_ALONE_MS = 15_000;

/** @param made the embedder of every name */
const embeddersThatGive = (made: Promise<Embedder>): Embedders =>
  new Embedders(
    { embedder: () => made } as unknown as Registry,
    { get: () => made } as unknown as EmbeddedEmbedder,
    () => 'any',
  );

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test('a request does not wait long for an embedder whose provider does not say what it is', async () => {
  const asked = embeddersThatGive(new Promise(() => undefined)).namedSoon('slow');
  const failure = asked.catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(await failure).toMatchObject({
    code: 'embedder_unavailable',
    message: "Embedder 'slow' takes too long.",
  });
  expect(isEmbedderOutage(await failure)).toBe(true);
});

test('what comes in time is given, and leaves no timer', async () => {
  const embedder = { fingerprint: 'f' } as Embedder;
  expect(await embeddersThatGive(Promise.resolve(embedder)).namedSoon('quick')).toBe(embedder);
  expect(jest.getTimerCount()).toBe(0);
});

test('once a few requests waited in vain, the next do not wait, until the embedder answers again', async () => {
  let answers = false;
  const embedders = embeddersThatGive(Promise.resolve({} as Embedder));
  const use = (): Promise<string> => {
    const waited = embedders.waitFor('slow', () =>
      answers ? Promise.resolve('answered') : new Promise<never>(() => undefined),
    );
    return waited.catch((error: unknown) => (error as Error).message);
  };
  for (let request = 0; request < MOST_IN_VAIN; request += 1) {
    const waiting = use();
    await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await waiting).toBe("Embedder 'slow' takes too long.");
  }
  expect(await use()).toBe("Embedder 'slow' takes too long.");
  expect(jest.getTimerCount()).toBe(0);
  answers = true;
  await jest.advanceTimersByTimeAsync(LEFT_ALONE_MS);
  expect([await use(), await use()]).toEqual(['answered', 'answered']);
});

test('one embedder that is slow is not another one, and one that refuses is asked again', async () => {
  const refusal = new Error('refused');
  const embedders = embeddersThatGive(Promise.reject(refusal));
  for (let request = 0; request <= MOST_IN_VAIN; request += 1)
    await expect(embedders.namedSoon('refusing')).rejects.toBe(refusal);
  const waiting = Array.from({ length: MOST_IN_VAIN }, () =>
    embedders.waitFor('slow', () => new Promise<never>(() => undefined)).catch(() => undefined),
  );
  await jest.advanceTimersByTimeAsync(PATIENCE_MS);
  await Promise.all(waiting);
  expect(await embedders.waitFor('quick', () => Promise.resolve('answered'))).toBe('answered');
});

describe('rows that searches index', () => {
  const inVain = async (embedders: Embedders, name: string): Promise<void> => {
    for (let step = 0; step < MOST_IN_VAIN; step += 1) {
      const waiting = embedders.waitForRows(name, () => new Promise<never>(() => undefined));
      waiting.catch(() => undefined);
      await jest.advanceTimersByTimeAsync(PATIENCE_MS);
    }
  };
  const answered = () => Promise.resolve('answered');

  test('that wait in vain keep no query from the embedder', async () => {
    const embedders = embeddersThatGive(Promise.resolve({} as Embedder));
    await inVain(embedders, 'slow');
    expect(await embedders.waitFor('slow', answered)).toBe('answered');
    await expect(embedders.waitForRows('slow', answered)).rejects.toThrow('takes too long');
  });

  test('wait for the embedded one however much waits before them', async () => {
    const embedders = embeddersThatGive(Promise.resolve({} as Embedder));
    await inVain(embedders, LOCAL_EMBEDDER);
    expect(await embedders.waitForRows(LOCAL_EMBEDDER, answered)).toBe('answered');
  });
});
