import { expect, test } from '@jest/globals';
import { describeEvent } from './progress.js';

test('a process that takes long is named, with how long it has and how long it may take', () => {
  const event = { kind: 'waiting', name: 'qdrant', forMs: 20_004, readyTimeoutMs: 300_000 } as const;
  expect(describeEvent(event)).toBe('waiting for qdrant: not ready after 20 s, given up after 300 s');
});

test('a program of which no SHA-256 is known is said not to be checked', () => {
  expect(describeEvent({ kind: 'unchecked', name: 'nats', platform: 'darwin-arm64' })).toBe(
    'nats is not checked: no SHA-256 of its program is known for darwin-arm64',
  );
});

test('a process that hangs is named before it is ended', () => {
  expect(describeEvent({ kind: 'stuck', name: 'episodic-api' })).toBe(
    'episodic-api does not work any more, and is ended',
  );
});
