import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Embedder } from '@loci/models';
import { type EmbeddedEmbedder, type Registry } from '@loci/registry';
import { Embedders, isEmbedderOutage } from './embedders.js';

const PATIENCE_MS = 3_000;

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
