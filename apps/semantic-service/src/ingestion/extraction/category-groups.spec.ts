import { expect, test } from '@jest/globals';
import { groupsOf, halvesOfGroup } from './category-groups.js';
import { type IngestionCategory } from './extraction-prompt.js';
import { type WaitingMessage } from './waiting-message.js';

const category = (name: string, words = 10): IngestionCategory => ({
  name,
  prompt: 'word '.repeat(words),
  tags: new Map(),
});

const messages = (...uids: readonly string[]): WaitingMessage[] =>
  uids.map((episodeUid) => ({ episodeUid, tenant: { orgId: 'o', projectId: 'p' }, projectUid: 'u' }));

const namesIn = (groups: ReturnType<typeof groupsOf>): string[][] =>
  groups.map(({ categories }) => categories.map(({ name }) => name));

test('categories that read the same messages next share a call, the others do not', () => {
  const groups = groupsOf([
    { category: category('a'), messages: messages('1', '2') },
    { category: category('b'), messages: messages('1') },
    { category: category('c'), messages: messages('1', '2') },
    { category: category('d'), messages: messages('2', '1') },
  ]);
  expect(namesIn(groups)).toEqual([['a', 'c'], ['b'], ['d']]);
});

test('as many share one as fit, and one that is too long has its own', () => {
  const next = ['a', 'b', 'c', 'd'].map((name, index) => ({
    category: category(name, index === 1 ? 1_000 : 30),
    messages: messages('1'),
  }));
  expect(namesIn(groupsOf(next, 80))).toEqual([['a', 'c'], ['b'], ['d']]);
});

test('a group that did not fit is tried in halves', () => {
  const [group] = groupsOf(
    ['a', 'b', 'c'].map((name) => ({ category: category(name), messages: messages('1') })),
  );
  expect(group && namesIn(halvesOfGroup(group))).toEqual([['a', 'b'], ['c']]);
});
