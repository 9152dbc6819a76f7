import { expect, test } from '@jest/globals';
import { specEpisode } from '../../../test/spec-episode.js';
import { fitting } from './batch.js';

const episodes = (...contents: readonly string[]) => contents.map((content) => specEpisode({ content }));

test('a batch has the first messages, in their sequence, as many as may be in one', () => {
  const given = episodes('a', 'b', 'c');
  expect(fitting(given, { maxMessages: 2, maxTokens: 1_000 })).toEqual(given.slice(0, 2));
  expect(fitting(given, { maxMessages: 50, maxTokens: 1_000 })).toEqual(given);
  expect(fitting([], { maxMessages: 50, maxTokens: 1_000 })).toEqual([]);
});

test('it ends before the message that would make it too long', () => {
  const given = episodes('word '.repeat(100), 'word '.repeat(100), 'word '.repeat(100));
  expect(fitting(given, { maxMessages: 50, maxTokens: 400 })).toHaveLength(2);
});

test('the first message is in it, however long, so that there is always progress', () => {
  const given = episodes('word '.repeat(5_000), 'short');
  expect(fitting(given, { maxMessages: 50, maxTokens: 100 })).toEqual(given.slice(0, 1));
});
