import { describe, expect, test } from '@jest/globals';
import { specEpisode } from '../../../test/spec-episode.js';
import { changesOf, toChanges } from './extraction-changes.js';
import { extractionSchema, readExtraction, readExtractions } from './extraction-reply.js';

const command = { command: 'add', tag: 'Hobbies', feature: 'hobby', value: 'painting', messages: [1] };

test('commands are read in their sequence; a delete needs no value', () => {
  const gone = { command: 'delete', tag: 'Hobbies', feature: 'hobby', messages: [1] };
  const { commands } = readExtraction({ commands: [{ ...command, messages: [2] }, gone] }, 2);
  expect(commands).toEqual([
    { ...command, messages: [2] },
    { ...gone, value: '' },
  ]);
});

test.each([
  ['no list of commands', {}],
  ['a list alone', [command]],
  ['null', null],
])('%s makes the whole reply unusable', (_, reply) => {
  expect(() => readExtraction(reply, 1)).toThrow(expect.objectContaining({ code: 'model_reply_unusable' }));
});

test('what PostgreSQL cannot store is left out, and so are blanks around it', () => {
  const { commands } = readExtraction({ commands: [{ ...command, value: ' paint\0ing ' }] }, 1);
  expect(commands[0]?.value).toBe('painting');
});

test('what is not seen stays where something else is', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  const { commands } = readExtraction({ commands: [{ ...command, value: `paints ${family}` }] }, 1);
  expect(commands[0]?.value).toBe(`paints ${family}`);
});

test('a command cites the messages of its batch that it names, each once', () => {
  const batch = [specEpisode(), specEpisode(), specEpisode()];
  const uidsOf = (messages: readonly unknown[]): unknown => {
    const { commands } = readExtraction({ commands: [{ ...command, messages }] }, batch.length);
    const [change] = toChanges(commands, batch);
    return change?.kind === 'add' ? change.citations.map(({ episodeUid }) => episodeUid) : undefined;
  };
  const uids = batch.map(({ episodeUid }) => episodeUid);
  expect(uidsOf([2, 2])).toEqual([uids[1]]);
  expect(uidsOf([3, 1])).toEqual([uids[0], uids[2]]);
  expect(uidsOf([99, 2])).toEqual([uids[1]]);
});

describe('a fact is of the user whom the model names, exactly as the message does', () => {
  const LONG = `tenant/${'directory/'.repeat(40)}mira`;
  const batch = [LONG, `${LONG}-2`, ' ana '].map((user) => specEpisode({ metadata: { user_id: user } }));
  const subjectOf = (subject: string, messages: readonly number[]): unknown => {
    const { commands } = readExtraction({ commands: [{ ...command, subject, messages }] }, batch.length);
    const [change] = changesOf(commands, { hasSubjects: true, batch, earlier: [] }).changes;
    return change?.kind === 'add' ? change.subject : undefined;
  };

  test.each([
    ['by an id of 411 characters', LONG, 1],
    ['by a longer one that begins with the id of another', `${LONG}-2`, 2],
    ['by an id with blanks around it', ' ana ', 3],
    ['by an id whose blanks the model leaves out', 'ana', 3],
  ])('%s', (_, user, message) => {
    expect(subjectOf(user, [message])).toBe(batch[message - 1]?.metadata['user_id']);
  });

  test('and whom no message is of, by at most 255 characters without blanks around them', () => {
    expect(subjectOf(` ${'x'.repeat(300)}`, [1])).toBe('x'.repeat(254));
  });

  test('a reply with the longest of these ids needs no repair', () => {
    const most = (maxSubjectChars?: number): string =>
      JSON.stringify(extractionSchema(1, { hasSubjects: true, maxSubjectChars }));
    expect(most(411)).toContain('"subject":{"type":"string","maxLength":411}');
    expect(most(4)).toBe(most());
    expect(most()).toContain('"subject":{"type":"string","maxLength":255}');
  });
});

test('a value that is a number or a truth value is taken as text', () => {
  const values = [34, 0, true].map((value) => ({ ...command, value }));
  const { commands, refused } = readExtraction({ commands: values }, 3);
  expect(commands.map(({ value }) => value)).toEqual(['34', '0', 'true']);
  expect(refused).toEqual([]);
});

describe('is refused with the reason, while the others count', () => {
  test.each([
    ['a command without messages', { messages: undefined }, /no message/],
    ['a command that names none', { messages: [] }, /no message/],
    ['one that names others', { messages: [0, 4, -1, 1.5, '1', null] }, /no message/],
    ['one whose messages are no list', { messages: 1 }, /no message/],
    ['a value that is too long', { value: 'x'.repeat(8_001) }, /value is too long/],
    ['a tag that is too long', { tag: 'x'.repeat(256) }, /tag or feature is too long/],
    ['a blank tag', { tag: ' ' }, /no tag/],
    ['an unknown command', { command: 'drop' }, /^It asks for "drop", which is none of/],
    [
      'an unknown command of any length',
      { command: 'x'.repeat(5_000) },
      /^It asks for "x{40}", which is none of/,
    ],
    ['no command', { command: undefined }, /no command/],
    ['a command that is not seen', { command: '\u200b' }, /no command/],
    ['a command that is no text', { command: ['add'] }, /no command/],
    ['no name', { feature: undefined }, /no feature/],
    ['a name that is no text', { feature: 7 }, /no feature/],
    ['an add without a value', { value: undefined }, /no value/],
    ['an update with an empty value', { command: 'update', value: ' ' }, /no value/],
    ['a value of spaces that have no width', { value: '\u200b\u200c\u200d\u2060\ufeff' }, /no value/],
    ['a value of hyphens that are not shown', { value: ' \u00ad ' }, /no value/],
    ['a name of an invisible letter', { feature: '\u3164' }, /no feature/],
    ['a tag of marks that only change a sign', { tag: '\ufe0f\u{e0101}' }, /no tag/],
  ])('%s', (_, given, reason) => {
    const { commands, refused } = readExtraction({ commands: [{ ...command, ...given }, command] }, 3);
    expect(commands).toEqual([command]);
    expect(refused).toMatchObject([{ reason: expect.stringMatching(reason) }]);
    expect(refused[0]?.tag.length).toBeLessThanOrEqual(255);
  });

  test('as what it asks for, and as nothing when that is none of the three', () => {
    const kinds = ['delete', 'drop', undefined].map((kind) => ({ ...command, command: kind, messages: [] }));
    const { refused } = readExtraction({ commands: kinds }, 3);
    expect(refused.map((one) => one.command)).toEqual(['delete', undefined, undefined]);
  });
});

test.each([
  [{ valid_from: '2024-03' }, { validFrom: { at: '2024-03-01T00:00:00.000000Z', precision: 'month' } }],
  [{ valid_until: '2024' }, { validUntil: { at: '2025-01-01T00:00:00.000000Z', precision: 'year' } }],
  [
    { valid_until: '2024-02-29T10:00:00+02:00' },
    { validUntil: { at: '2024-02-29T08:00:00.000000Z', precision: 'time' } },
  ],
  [
    { valid_from: '2024-W10', valid_until: '2024-W10' },
    {
      validFrom: { at: '2024-03-04T00:00:00.000000Z', precision: 'day' },
      validUntil: { at: '2024-03-11T00:00:00.000000Z', precision: 'day' },
    },
  ],
  [{ valid_from: '2020-W53-5' }, { validFrom: { at: '2021-01-01T00:00:00.000000Z', precision: 'day' } }],
  [{ valid_from: '2025W01' }, { validFrom: { at: '2024-12-30T00:00:00.000000Z', precision: 'day' } }],
  [{ valid_from: '', valid_until: null }, undefined],
])('when it holds is read from %j', (dates, validity) => {
  const { commands } = readExtraction({ commands: [{ ...command, ...dates }] }, 1);
  expect(commands[0]?.validity).toEqual(validity);
});

test.each([
  [{ valid_from: 'last week' }, /no date/],
  [{ valid_from: '2024-W53' }, /no date/],
  [{ valid_from: '2024-W00' }, /no date/],
  [{ valid_until: '9999-W52' }, /no date/],
  [{ valid_until: '2023-02-30' }, /no date/],
  [{ valid_from: '2024-05', valid_until: '2024-04' }, /before it begins/],
  [{ valid_from: '9000' }, /too far/],
])('dates like %j are refused with the reason', (dates, reason) => {
  const { commands, refused } = readExtraction({ commands: [{ ...command, ...dates }] }, 1);
  expect(commands).toEqual([]);
  expect(refused.map((one) => one.reason)).toEqual([expect.stringMatching(reason)]);
});

describe('a reply about several categories', () => {
  const CATEGORIES = ['profile', 'work'];

  test('gives each its own commands; one that names none of them is refused in the first', () => {
    const commands = [
      { ...command, category: 'work' },
      { ...command, category: 'profile', value: 'chess' },
      { ...command, category: 'other' },
      command,
    ];
    const read = readExtractions({ commands }, 1, CATEGORIES);
    expect(read.get('work')).toEqual({ commands: [command], refused: [] });
    expect(read.get('profile')?.commands).toEqual([{ ...command, value: 'chess' }]);
    const reason = 'It names no category of its call.';
    expect(read.get('profile')?.refused).toMatchObject([{ reason }, { reason }]);
  });

  test('is asked for with the category that each command belongs to; of one category it is not', () => {
    const required = (categories: string[]): string => JSON.stringify(extractionSchema(3, { categories }));
    expect(required(CATEGORIES)).toContain('"category":{"type":"string","enum":["profile","work"]}');
    expect(required(CATEGORIES)).toContain('"required":["category",');
    expect(required(['profile'])).not.toContain('category');
  });
});
