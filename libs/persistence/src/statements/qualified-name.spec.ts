import { expect, test } from '@jest/globals';
import { qualified } from './qualified-name.js';

test('quotes schema and table', () => {
  expect(qualified('episodic', 'outbox')).toBe('"episodic"."outbox"');
});

test.each(['', 'Upper', 'a-b', 'a"b', 'a b', '1a', 'x'.repeat(64)])('refuses the name %j', (name) => {
  expect(() => qualified(name, 'outbox')).toThrow('is no name');
});
