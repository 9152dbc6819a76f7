import { describe, expect, test } from '@jest/globals';
import { specEpisode } from '../../../test/spec-episode.js';
import { aboutSubject } from './command-subject.js';
import { type ExtractionCommand } from './extraction-reply.js';

const MIRA = specEpisode({
  episodeUid: 'mira',
  content: 'I row. Bob says "I hate it".',
  metadata: { user_id: 'mira' },
});
const BOB = specEpisode({ episodeUid: 'bob', content: 'I sail.', producerId: 'bob' });
const BOBBY = specEpisode({
  episodeUid: 'bobby',
  content: 'I knit, and Bobby is fine.',
  producerId: 'bobby',
});
const TO_BOB = specEpisode({
  episodeUid: 'to-bob',
  content: 'Your boat is ready.',
  producerId: 'bot',
  producerRole: 'assistant',
  producedForId: 'bob',
});
const BATCH = [MIRA, BOB, BOBBY, TO_BOB];

const about = (
  subject: string | undefined,
  messages: number[],
  command: ExtractionCommand['command'] = 'update',
) => {
  const made = aboutSubject(
    { command, subject, tag: 't', feature: 'f', value: 'v', messages },
    { batch: BATCH, earlier: [] },
  );
  if (!('change' in made)) return made.reason;
  const { kind, subject: of, citations = [] } = made.change;
  const isHearsay = 'isHearsay' in made.change && made.change.isHearsay === true;
  return { kind, of, cites: citations.map(({ episodeUid }) => episodeUid), isHearsay };
};

test('a command is about the user whom it names, and cites this user alone', () => {
  expect(about('bob', [1, 2, 3])).toEqual({
    kind: 'update',
    of: 'bob',
    cites: ['mira', 'bob'],
    isHearsay: false,
  });
  expect(about('mira', [1, 2])).toEqual({ kind: 'update', of: 'mira', cites: ['mira'], isHearsay: false });
});

test('the user is the one that the metadata name, or to whom an assistant speaks', () => {
  expect(about(undefined, [1])).toMatchObject({ of: 'mira' });
  expect(about(undefined, [4])).toMatchObject({ of: 'bob', cites: ['to-bob'], isHearsay: false });
});

test.each([
  ['names as its user', { metadata: { user_id: 'bob' } }],
  ['says to the user', { producerRole: 'assistant', producedForId: 'bob' }],
])('what the key of a producer %s is hearsay', (_, given) => {
  const bound = specEpisode({
    ...given,
    episodeUid: 'bound',
    content: 'Done.',
    producerId: 'bot',
    isBound: true,
  });
  const command: ExtractionCommand = { command: 'update', tag: 't', feature: 'f', value: 'v', messages: [1] };
  for (const batch of [[bound], [bound, BOB]]) {
    const made = aboutSubject({ ...command, subject: 'bob' }, { batch, earlier: [] });
    expect(made).toMatchObject({
      change: { subject: 'bob', isHearsay: true, citations: [{ isBound: true }] },
    });
    expect(aboutSubject(command, { batch, earlier: [] })).toMatchObject({
      change: { subject: 'bot', isHearsay: false },
    });
  }
});

test('another spelling is the same user as long as it can be one only', () => {
  expect(about('Bob', [2])).toMatchObject({ of: 'bob' });
});

test.each([
  ['the very id before all others', 'bob', ['bob', ' bob ', 'Bob'], 'bob'],
  ['the id without its blanks before other letters', ' bob', ['bob', 'BOB'], 'bob'],
  ['an id of which only blanks differ', 'bob', [' bob '], ' bob '],
  ['an id of which letters and blanks differ', ' BOB', ['bob '], 'bob '],
  ['none of two that differ in blanks', 'bob', [' bob', 'bob '], 'bob'],
  ['none of two that differ in letters', 'bOB', ['Bob', 'BOB'], 'bOB'],
  ['no one in particular, not the user whose id is blank', '', [' '], ''],
])('of the users whom a model may mean, it is %s', (_, subject, users, meant) => {
  const batch = users.map((user) => specEpisode({ content: 'Bob, you row.', metadata: { user_id: user } }));
  const command = { command: 'add', tag: 't', feature: 'f', value: 'v', messages: [1, 2, 3] } as const;
  expect(aboutSubject({ ...command, subject }, { batch, earlier: [] })).toMatchObject({
    change: { subject: meant },
  });
});

test('a user whose id has blanks around it is named without them', () => {
  const batch = [
    specEpisode({ content: 'I row.', metadata: { user_id: ' bob ' } }),
    specEpisode({ content: 'Bob, too.', producerId: 'mira' }),
  ];
  const command = { command: 'add', tag: 't', feature: 'f', value: 'v', messages: [2] } as const;
  expect(aboutSubject({ ...command, subject: ' bob ' }, { batch, earlier: [] })).toMatchObject({
    change: { subject: ' bob ' },
  });
});

describe('what others say of a user', () => {
  test('is told from what the user says', () => {
    expect(about('bob', [1])).toEqual({ kind: 'update', of: 'bob', cites: ['mira'], isHearsay: true });
    expect(about('bob', [1], 'delete')).toMatchObject({ isHearsay: true });
    expect(about('bob', [1], 'add')).toMatchObject({ kind: 'add', cites: ['mira'] });
  });

  test('is refused when they neither name nor address the user', () => {
    expect(about('bob', [3])).toMatch('None of the messages');
    expect(about('mira', [2])).toMatch('None of the messages');
  });

  test('is refused when the user only spoke before, and they do not name this user now', () => {
    const cool = specEpisode({ episodeUid: 'cool', content: 'Cool!', metadata: { user_id: 'mira' } });
    const named = specEpisode({
      episodeUid: 'named',
      content: 'Bob, cool!',
      metadata: { user_id: 'mira' },
    });
    const learned = (stated: string, message: typeof cool) =>
      aboutSubject(
        { command: 'add', subject: stated, tag: 't', feature: 'f', value: 'v', messages: [1] },
        { batch: [message], earlier: [BOB] },
      );
    for (const stated of ['bob', ' Bob']) {
      expect(learned(stated, cool)).toMatchObject({
        reason: expect.stringContaining('None of the messages'),
      });
      expect(learned(stated, named)).toMatchObject({
        change: { subject: 'bob', citations: [{ episodeUid: 'named' }] },
      });
    }
  });

  test('may be of a person who says nothing', () => {
    expect(about('Anna', [1])).toEqual({ kind: 'update', of: 'Anna', cites: ['mira'], isHearsay: true });
  });
});

test('without a subject it is about the one user of its messages, or about no one in particular', () => {
  expect(about(undefined, [2])).toMatchObject({ of: 'bob' });
  expect(about(undefined, [1, 3])).toMatchObject({ of: '', cites: ['mira', 'bobby'], isHearsay: false });
  expect(about('', [1])).toMatchObject({ of: '', cites: ['mira'], isHearsay: false });
  expect(about('\u200b', [1])).toMatchObject({ of: '', cites: ['mira'], isHearsay: false });
});

test('of a user whose id no index takes, nothing is learned', () => {
  const user = '\u{20bb7}'.repeat(326);
  const batch = [specEpisode({ episodeUid: 'long', content: 'I row.', producerId: user })];
  const command = { command: 'add', tag: 't', feature: 'f', value: 'v', messages: [1] } as const;
  expect(aboutSubject(command, { batch, earlier: [] })).toEqual({
    reason: expect.stringContaining('1300 bytes'),
  });
});
