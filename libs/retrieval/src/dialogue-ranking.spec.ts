import { describe, expect, test } from '@jest/globals';
import { participantNamed, rankDialogue, sessionsOf, type Turn } from './dialogue-ranking.js';

const MINUTE_MS = 60_000;
const NOTHING = { neighbours: 0, secondNeighbours: 0, session: 0, participant: 0, time: 0 };
const cues = { query: 'What?', spans: [] };

const turn = (id: string, minute: number, more: Partial<Turn> = {}): Turn => ({
  id,
  atMs: minute * MINUTE_MS,
  speaker: 'ann',
  ...more,
});

test('without weights a turn keeps its own score', () => {
  const ranked = rankDialogue([turn('a', 0), turn('b', 1)], new Map([['a', 0.7]]), cues, NOTHING);
  expect([...ranked]).toEqual([
    ['a', 0.7],
    ['b', 0],
  ]);
});

test('a turn gains by the better of its neighbours', () => {
  const turns = [turn('a', 0, { next: 'b' }), turn('b', 1, { previous: 'a', next: 'c' }), turn('c', 2)];
  const scores = new Map([
    ['a', 1],
    ['c', 0.2],
  ]);
  const ranked = rankDialogue(turns, scores, cues, { ...NOTHING, neighbours: 0.3 });
  expect(ranked.get('b')).toBeCloseTo(0.3 / 1.3);
});

test('a turn gains by the better of those two away, whoever stands between', () => {
  const turns = [
    turn('a', 0, { next: 'b' }),
    turn('b', 1, { previous: 'a', next: 'c' }),
    turn('c', 2, { previous: 'b' }),
  ];
  const ranked = rankDialogue(turns, new Map([['a', 1]]), cues, { ...NOTHING, secondNeighbours: 0.5 });
  expect([...ranked.values()]).toEqual([1 / 1.5, 0, 0.5 / 1.5]);
});

test('a turn gains by the best of its session, and by that of no other', () => {
  const scores = new Map([['a', 1]]);
  const turns = [turn('a', 0), turn('b', 30), turn('far', 500)];
  const ranked = rankDialogue(turns, scores, cues, { ...NOTHING, session: 0.5 });
  expect(ranked.get('b')).toBeCloseTo(0.5 / 1.5);
  expect(ranked.get('far')).toBe(0);
});

test('turns of a time that the query names gain', () => {
  const spans = [{ fromMs: 0, untilMs: MINUTE_MS }];
  const turns = [turn('then', 0), turn('later', 1)];
  const ranked = rankDialogue(turns, new Map(), { ...cues, spans }, { ...NOTHING, time: 1 });
  expect([ranked.get('then'), ranked.get('later')]).toEqual([0.5, 0]);
});

test('a score is never above 1', () => {
  const turns = [
    turn('a', 0, { next: 'b' }),
    turn('b', 1, { previous: 'a', next: 'c' }),
    turn('c', 2, { previous: 'b' }),
  ];
  const scores = new Map(turns.map(({ id }) => [id, 1]));
  const all = { query: 'ann', spans: [{ fromMs: 0, untilMs: MINUTE_MS }] };
  const weights = { neighbours: 0.3, secondNeighbours: 0.15, session: 0.15, participant: 0.1, time: 0.1 };
  expect(rankDialogue(turns, scores, all, weights).get('a')).toBeCloseTo(1);
});

test('sessions are runs without a gap of more than an hour, in the order of time', () => {
  const sessions = sessionsOf([turn('c', 200), turn('b', 60), turn('a', 0)]);
  expect(sessions.map((session) => session.map(({ id }) => id))).toEqual([['a', 'b'], ['c']]);
});

describe('the participant whom a query names', () => {
  test.each([
    ['is found whatever the case', "What is ANN's dog called?", ['ann', 'bob'], 'ann'],
    ['needs the whole name', 'Where does Lee live?', ['Lee Chan'], undefined],
    ['is nobody when two are named', 'Did ann meet bob?', ['ann', 'bob'], undefined],
    ['is not found inside a word', 'the annual report', ['ann'], undefined],
    ['is nobody without a name', 'anything', [''], undefined],
  ])('%s', (_, query, speakers, named) => {
    expect(participantNamed(query, speakers)).toBe(named);
  });
});
