import { expect, test } from '@jest/globals';
import { specEpisode } from '../../test/spec-episode.js';
import { toChanges } from './extraction-changes.js';
import { readExtraction } from './extraction-reply.js';

const command = { command: 'add', tag: 'Hobbies', feature: 'hobby', value: 'painting' };

test('commands are read in their order; a delete needs no value', () => {
  const gone = { command: 'delete', tag: 'Hobbies', feature: 'hobby' };
  expect(readExtraction({ commands: [{ ...command, messages: [2] }, gone] })).toEqual([
    { ...command, messages: [2] },
    { ...gone, value: '', messages: [] },
  ]);
});

test.each([
  ['no list of commands', {}],
  ['a list alone', [command]],
  ['null', null],
  ['an unknown command', { commands: [{ ...command, command: 'drop' }] }],
  ['a blank tag', { commands: [{ ...command, tag: ' ' }] }],
  ['no name', { commands: [{ ...command, feature: undefined }] }],
  ['an add without a value', { commands: [{ ...command, value: undefined }] }],
  ['an update with an empty value', { commands: [{ ...command, command: 'update', value: ' ' }] }],
])('%s makes the whole reply unusable', (_, reply) => {
  expect(() => readExtraction(reply)).toThrow(expect.objectContaining({ code: 'model_reply_unusable' }));
});

test('what PostgreSQL cannot store is left out, and so are blanks around it', () => {
  const [read] = readExtraction({ commands: [{ ...command, value: ' paint\0ing ' }] });
  expect(read?.value).toBe('painting');
});

test('a command cites the messages that it names, each once', () => {
  const batch = [specEpisode(), specEpisode(), specEpisode()];
  const uidsOf = (messages: readonly number[]): unknown => {
    const [change] = toChanges(readExtraction({ commands: [{ ...command, messages }] }), batch);
    return change?.kind === 'add' ? change.citations.map(({ episodeUid }) => episodeUid) : undefined;
  };
  const uids = batch.map(({ episodeUid }) => episodeUid);
  expect(uidsOf([2, 2])).toEqual([uids[1]]);
  expect(uidsOf([3, 1])).toEqual([uids[0], uids[2]]);
  expect(uidsOf([99, 2])).toEqual([uids[1]]);
  expect(uidsOf([0, 99])).toEqual(uids);
  expect(uidsOf([])).toEqual(uids);
});
