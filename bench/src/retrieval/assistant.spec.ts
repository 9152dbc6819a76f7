import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { readAssistant } from './assistant.js';
import { type Conversation } from './dataset.js';

let conversation: Conversation | undefined;

beforeAll(async () => {
  [conversation] = await readAssistant(fileURLToPath(new URL('../../data/assistant', import.meta.url)));
});

test('twenty conversations in which both speak in turn, the answers at length', () => {
  const turns = conversation?.turns ?? [];
  expect(new Set(turns.map(({ id }) => id.split(':')[0])).size).toBe(20);
  expect(turns.map(({ role }) => role)).toEqual(
    turns.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
  );
  const answers = turns
    .filter(({ role }) => role === 'assistant')
    .map(({ text }) => text.split(/\s+/).length);
  expect(Math.min(...answers)).toBeGreaterThan(200);
  expect(Math.max(...answers)).toBeLessThan(900);
});

test('its questions are of each kind, and name turns', () => {
  const kinds = new Map<string, number>();
  for (const { category } of conversation?.questions ?? [])
    kinds.set(category, (kinds.get(category) ?? 0) + 1);
  expect([...kinds.keys()].sort()).toEqual([
    'contradiction',
    'information',
    'instruction',
    'order',
    'preference',
    'sessions',
    'update',
  ]);
  expect(Math.min(...kinds.values())).toBeGreaterThanOrEqual(8);
});
