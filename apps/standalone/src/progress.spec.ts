import { expect, test } from '@jest/globals';
import { describeEvent } from './progress.js';

test('a process that takes long is named, with how long it has and how long it may take', () => {
  const event = { kind: 'waiting', name: 'qdrant', forMs: 20_004, readyTimeoutMs: 300_000 } as const;
  expect(describeEvent(event)).toBe('waiting for qdrant: not ready after 20 s, given up after 300 s');
});
