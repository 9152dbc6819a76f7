import { expect, test } from '@jest/globals';
import { messagesOf, setAsideBy } from './index-sweeper.js';

const work = (...uids: string[]): { readonly projectUid: string; readonly uids: readonly string[] } => ({
  projectUid: 'p',
  uids,
});

test('rows are named by as few messages as they fit into', () => {
  const uids = Array.from({ length: 18 }, (_, index) => `u${index}`);
  const messages = messagesOf(work(...uids), setAsideBy([]));
  expect(messages.map((message) => message.uids.length)).toEqual([8, 8, 2]);
  expect(messages.flatMap((message) => message.uids)).toEqual(uids);
});

test('rows of a message that was set aside come one by one, beside the others', () => {
  const messages = messagesOf(work('a', 'b', 'c', 'd'), setAsideBy([['b', 'c', 'gone']]));
  expect(messages).toEqual([work('a', 'd'), work('b'), work('c')]);
});

test('a row that was set aside alone does not come again, however many other messages named it', () => {
  expect(messagesOf(work('a', 'b', 'c'), setAsideBy([['b'], ['b', 'c']]))).toEqual([work('a'), work('c')]);
});
