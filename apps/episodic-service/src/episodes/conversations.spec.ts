import { describe, expect, test } from '@jest/globals';
import { parseFilter } from '@loci/contracts';
import { Conversations, type Spoken } from './conversations.js';

const conversations = new Conversations('session_id, thread_id');

const said = (more: Partial<Spoken>): string =>
  conversations.of({ producerId: 'ann', producedForId: '', metadata: {}, ...more });

describe('of one conversation are', () => {
  test('episodes of one session, between any two', () => {
    const metadata = { session_id: 's', user_id: 'ann' };
    expect(said({ metadata, producedForId: 'bot' })).toBe(
      said({ metadata: { session_id: 's' }, producerId: 'bob' }),
    );
  });

  test('what two say to each other, in whatever direction', () => {
    expect(said({ producedForId: 'bot' })).toBe(said({ producerId: 'bot', producedForId: 'ann' }));
  });

  test('episodes about one user, where neither is said', () => {
    const metadata = { user_id: 'ann' };
    expect(said({ metadata })).toBe(said({ metadata, producerId: 'bot' }));
  });

  test('all episodes that say nothing about it', () => {
    expect(said({})).toBe(said({ producerId: 'bob', metadata: { topic: 'x', session_id: '' } }));
  });
});

test('each other thing that is said is another conversation', () => {
  const all = [
    said({}),
    said({ metadata: { session_id: 'ann' } }),
    said({ metadata: { session_id: 'bob' } }),
    said({ metadata: { thread_id: 'ann' } }),
    said({ metadata: { user_id: 'ann' } }),
    said({ producedForId: 'bot' }),
    said({ producedForId: 'bob' }),
    said({ producerId: 'b","x', producedForId: 'a' }),
    said({ producerId: 'x', producedForId: 'a","b' }),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('the first of the keys that an episode has counts', () => {
  const metadata = { thread_id: 't', session_id: 's' };
  expect(said({ metadata })).toBe(said({ metadata: { session_id: 's' } }));
});

test('without keys metadata name no session', () => {
  const episode = { producerId: 'ann', producedForId: '', metadata: { session_id: 's' } };
  expect(new Conversations('').of(episode)).toBe(said({}));
});

describe('a filter asks for one conversation', () => {
  const session = said({ metadata: { session_id: 's' } });

  test.each(["metadata.session_id = 's'", "producer_id = 'ann' AND metadata.session_id = 's'"])(
    'by %s',
    (text) => {
      expect(conversations.askedFor(parseFilter(text))).toBe(session);
    },
  );

  test.each([
    "metadata.session_id != 's'",
    "metadata.session_id = 's' OR metadata.session_id = 't'",
    "metadata.topic = 's'",
    "producer_id = 's'",
    '',
  ])('not by %s', (text) => {
    expect(conversations.askedFor(parseFilter(text))).toBeUndefined();
  });
});
