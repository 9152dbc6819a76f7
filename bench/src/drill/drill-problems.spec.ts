import { expect, test } from '@jest/globals';
import { type StoredState, type AcknowledgedMessage, problemsIn } from './drill-problems.js';

const ACKNOWLEDGED: readonly AcknowledgedMessage[] = [1, 2].map((number) => ({
  uid: `uid${number}`,
  content: `message ${number}`,
  fact: `fact ${number}`,
}));

const KEPT: StoredState = {
  episodes: ACKNOWLEDGED.map(({ uid, content }) => ({ uid, content })),
  applied: new Map(ACKNOWLEDGED.map(({ uid }) => [uid, 1])),
  facts: ACKNOWLEDGED.map(({ fact }) => fact),
  waiting: 0,
  deadLetters: 0,
};

test('a promise that was kept has no problems', () => {
  expect(problemsIn(ACKNOWLEDGED, KEPT)).toEqual([]);
});

test.each<[string, Partial<StoredState>]>([
  ['1 messages acknowledged and lost: "message 2" (uid2)', { episodes: KEPT.episodes.slice(0, 1) }],
  [
    '1 messages stored with another text: "message 2" (uid2)',
    {
      episodes: [
        { uid: 'uid1', content: 'message 1' },
        { uid: 'uid2', content: 'other' },
      ],
    },
  ],
  [
    '2 messages stored twice: "message 2" (uid2), "message 2" (uid3)',
    { episodes: [...KEPT.episodes, { uid: 'uid3', content: 'message 2' }] },
  ],
  [
    '1 messages stored and never acknowledged: "planted" (uid3)',
    { episodes: [...KEPT.episodes, { uid: 'uid3', content: 'planted' }] },
  ],
  ['1 messages never ingested: "message 2" (uid2)', { applied: new Map([['uid1', 1]]) }],
  [
    '1 messages ingested more than once: "message 1" (uid1)',
    {
      applied: new Map([
        ['uid1', 2],
        ['uid2', 1],
      ]),
    },
  ],
  ['1 messages without its fact: "message 1" (uid1)', { facts: ['fact 2'] }],
  ['1 messages with its fact twice: "message 2" (uid2)', { facts: ['fact 1', 'fact 2', 'fact 2'] }],
  ['3 messages still wait to be ingested', { waiting: 3 }],
  ['1 batches were given up', { deadLetters: 1 }],
])('one that was broken is found: %s', (problem, broken) => {
  expect(problemsIn(ACKNOWLEDGED, { ...KEPT, ...broken })).toContain(problem);
});
