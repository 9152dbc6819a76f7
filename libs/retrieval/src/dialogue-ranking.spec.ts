import { describe, expect, test } from '@jest/globals';
import {
  type Contributions,
  type Cues,
  type DialogueWeights,
  lengthOf,
  rankDialogue,
  scoreOf,
  sessionsOf,
  sumOf,
  type Turn,
  type TurnScore,
} from './dialogue-ranking.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const NOTHING: DialogueWeights = {
  neighbours: 0,
  secondNeighbours: 0,
  session: 0,
  participant: 0,
  time: 0,
  firstPerson: 0,
  recency: 0,
  state: 0,
  change: 0,
  question: 0,
  statement: 0,
  exact: 0,
  halfLifeMs: 0,
};
const cues: Cues = { query: 'What?', spans: [], askedMs: 10 * DAY_MINUTES * MINUTE_MS };

const turn = (id: string, minute: number, more: Partial<Turn> = {}): Turn => ({
  id,
  atMs: minute * MINUTE_MS,
  speaker: 'ann',
  role: 'user',
  conversation: 'one',
  ...more,
});

const NONE: Contributions = {
  own: 0,
  neighbours: 0,
  secondNeighbours: 0,
  session: 0,
  participant: 0,
  time: 0,
  firstPerson: 0,
  recency: 0,
  state: 0,
  change: 0,
  question: 0,
  statement: 0,
  exact: 0,
};

const ofAll = (scores: ReadonlyMap<string, number>): Map<string, TurnScore> =>
  new Map([...scores].map(([id, score]) => [id, { score, asNeighbour: score }]));

/** What each turn gains besides its own score, by its id. */
function gains(
  turns: readonly Turn[],
  scores: ReadonlyMap<string, number>,
  weights: Partial<DialogueWeights>,
  asked: Cues = cues,
): Record<string, number> {
  const ranked = rankDialogue(turns, ofAll(scores), asked, { ...NOTHING, ...weights });
  return Object.fromEntries([...ranked].map(([id, gained]) => [id, sumOf({ ...gained, own: 0 })]));
}

const THREE = [
  turn('a', 0, { next: 'b' }),
  turn('b', 1, { previous: 'a', next: 'c' }),
  turn('c', 2, { previous: 'b' }),
];

test('without weights a turn has its own score', () => {
  const ranked = rankDialogue([turn('a', 0), turn('b', 1)], ofAll(new Map([['a', 0.7]])), cues, NOTHING);
  expect([...ranked]).toEqual([
    ['a', { ...NONE, own: 0.7 }],
    ['b', NONE],
  ]);
});

test('a turn gains by the better of its neighbours', () => {
  const scores = new Map([
    ['a', 1],
    ['c', 0.2],
  ]);
  expect(gains(THREE, scores, { neighbours: 0.3 })['b']).toBeCloseTo(0.3);
});

test('a turn gains by the better of those two away, whatever is said between', () => {
  expect(gains(THREE, new Map([['a', 1]]), { secondNeighbours: 0.5 })).toEqual({ a: 0, b: 0, c: 0.5 });
});

test('a long turn says itself what it is about, and gains the less by those beside it the longer it is', () => {
  const ofLength = (length: number | undefined): number | undefined => {
    const turns = [turn('a', 0, { next: 'b' }), turn('b', 1, { previous: 'a', length })];
    return gains(turns, new Map([['a', 1]]), { neighbours: 0.3 })['b'];
  };
  expect([undefined, 10, 300].map(ofLength)).toEqual([0.3, 0.3, 0.3]);
  expect(ofLength(600)).toBeCloseTo(0.15);
  expect(ofLength(3_000)).toBeCloseTo(0.03);
});

test('a text is as long as it has characters in any script; a long one as it has bytes', () => {
  expect(['', 'ferry', 'паром', 'नाव', '😀'].map(lengthOf)).toEqual([0, 5, 5, 3, 1]);
  expect(['x', 'é'].map((letter) => lengthOf(letter.repeat(2_000)))).toEqual([2_000, 4_000]);
});

test('a turn gains by the best of its session, and by that of no other', () => {
  const turns = [turn('a', 0), turn('b', 30), turn('far', 500)];
  expect(gains(turns, new Map([['a', 1]]), { session: 0.5 })).toEqual({ a: 0.5, b: 0.5, far: 0 });
});

test('turns of a time that the query names gain', () => {
  const spans = [{ fromMs: 0, untilMs: MINUTE_MS }];
  const turns = [turn('then', 0), turn('later', 1)];
  expect(gains(turns, new Map(), { time: 1 }, { ...cues, spans })).toEqual({ then: 1, later: 0 });
});

test('turns of a user gain when the query speaks in the first person', () => {
  const turns = [turn('mine', 0), turn('answer', 1, { role: 'assistant' })];
  const asked = { ...cues, query: 'Where do I live?' };
  expect(gains(turns, new Map(), { firstPerson: 1 }, asked)).toEqual({ mine: 1, answer: 0 });
  expect(gains(turns, new Map(), { firstPerson: 1 })).toEqual({ mine: 0, answer: 0 });
});

describe('recency', () => {
  const turns = [turn('old', 0), turn('new', 10 * DAY_MINUTES)];
  const weights = { recency: 1, halfLifeMs: 10 * DAY_MINUTES * MINUTE_MS };

  test('halves with every half-life', () => {
    expect(gains(turns, new Map(), weights)).toEqual({ old: 0.5, new: 1 });
  });

  test('prefers the older where the query asks for what was before', () => {
    const asked = { ...cues, query: 'Where did I live before?' };
    expect(gains(turns, new Map(), weights, asked)).toEqual({ old: 0.5, new: 0 });
  });

  test('counts whole days, so that a repeated search gives the same scores', () => {
    const later = { ...cues, askedMs: cues.askedMs + MINUTE_MS };
    expect(gains(turns, new Map(), weights, later)).toEqual(gains(turns, new Map(), weights));
  });

  test('does not count without a half-life', () => {
    expect(gains(turns, new Map(), { recency: 1 })).toEqual({ old: 0, new: 0 });
  });
});

describe('a score', () => {
  test('is between 0 and 1, and grows with every contribution', () => {
    const scores = Object.keys(NONE).map((gain) => scoreOf({ ...NONE, [gain]: 0.1 }));
    expect(scores.every((score) => score > scoreOf(NONE) && score < 1)).toBe(true);
    expect(scoreOf({ ...NONE, own: 10 })).toBeLessThanOrEqual(1);
  });

  test('stays what it is, whatever other hits of other sessions there are', () => {
    const weights = { ...NOTHING, neighbours: 0.3, session: 0.2, participant: 0.2, time: 0.1 };
    const alone = rankDialogue([turn('a', 0)], ofAll(new Map([['a', 0.4]])), cues, weights);
    const among = rankDialogue(
      [turn('a', 0), turn('b', 500)],
      ofAll(
        new Map([
          ['a', 0.4],
          ['b', 0.9],
        ]),
      ),
      cues,
      weights,
    );
    expect(among.get('a')).toEqual(alone.get('a'));
  });
});

describe('a turn that is the text of the query', () => {
  const turns = [turn('a', 0, { repeatsQuery: true }), turn('b', 1, { repeatsQuery: false })];
  const weights = { exact: 1 };

  test('gains by it, however little it resembles the query by its vector', () => {
    const asked = { ...cues, query: 'writer 1 says sentence 2 of batch 3' };
    expect(gains(turns, new Map([['b', 0.9]]), weights, asked)).toEqual({ a: 1, b: 0 });
  });

  test('gains nothing where an answer is wanted: the same question is none', () => {
    expect(gains(turns, new Map(), weights, { ...cues, query: 'Where does Ann live?' })).toEqual({
      a: 0,
      b: 0,
    });
  });
});

test('sessions are runs without a gap of more than an hour, in the order of time', () => {
  const sessions = sessionsOf([turn('c', 200), turn('b', 60), turn('a', 0)]);
  expect(sessions.map((session) => session.map(({ id }) => id))).toEqual([['a', 'b'], ['c']]);
});

describe('conversations that take place at the same time', () => {
  const turns = [
    turn('a', 0, { conversation: 'one', speaker: 'john' }),
    turn('b', 1, { conversation: 'two', speaker: 'mary' }),
    turn('c', 2, { conversation: 'one', speaker: 'eve' }),
  ];

  test('are sessions of their own', () => {
    expect(sessionsOf(turns).map((session) => session.map(({ id }) => id))).toEqual([['a', 'c'], ['b']]);
    expect(gains(turns, new Map([['b', 1]]), { session: 0.2 })).toEqual({ a: 0, c: 0, b: 0.2 });
  });

  test('have participants of their own', () => {
    const asked = { ...cues, query: 'What did John and Mary say?' };
    expect(gains(turns, new Map(), { participant: 0.2 }, asked)).toEqual({ a: 0.2, b: 0.2, c: 0 });
  });
});

describe('of two statements about the person who asks', () => {
  const older = turn('older', 0);
  const newer = turn('newer', 9 * DAY_MINUTES, { announcesChange: true });
  const weights = { state: 0.2, change: 0.1, halfLifeMs: DAY_MINUTES * MINUTE_MS };
  const asked = (query: string): Record<string, number> =>
    gains([older, newer], new Map(), weights, { ...cues, query });

  test('the newer gains, and what announces a change, when the question is how it is', () => {
    const { older: lost = 0, newer: gained = 0 } = asked('Where do I live?');
    expect(lost).toBeCloseTo(-0.1);
    expect(gained).toBeCloseTo(0.1);
  });

  test('the older gains when the question is how it was', () => {
    const { older: gained = 0, newer: lost = 0 } = asked('Where did I live before?');
    expect(gained).toBeCloseTo(0.1);
    expect(lost).toBeCloseTo(-0.1);
  });

  test('neither gains by other questions', () => {
    expect(asked('Where did I go on Sunday?')).toEqual({ older: 0, newer: 0 });
    expect(asked('Where does Ann live?')).toEqual({ older: 0, newer: 0 });
  });
});

describe('a turn that is a question', () => {
  const turns = [turn('asks', 0, { isQuestion: true }), turn('answers', 1)];
  const asked = (query: string): Record<string, number> =>
    gains(turns, new Map(), { question: 0.08 }, { ...cues, query });

  test('loses when the query wants an answer', () => {
    expect(asked('Where does Ann work?')).toEqual({ asks: -0.08, answers: 0 });
  });

  test('loses nothing when it says much before it asks', () => {
    const long = [turn('asks', 0, { isQuestion: true, length: 201 }), turn('answers', 1)];
    const wanted = { ...cues, query: 'Where does Ann work?' };
    expect(gains(long, new Map(), { question: 0.08 }, wanted)).toEqual({ asks: 0, answers: 0 });
  });

  test('loses nothing when the query looks for what was asked, or is no question', () => {
    expect(asked('What did Bob ask Ann?')).toEqual({ asks: 0, answers: 0 });
    expect(asked("Ann's work")).toEqual({ asks: 0, answers: 0 });
  });
});

test('a long query is split into words once, however many conversations there are', () => {
  const query = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');
  const turns = Array.from({ length: 2_000 }, (_, index) =>
    turn(`t${index}`, index, { conversation: `c${index}`, speaker: `Speaker ${index}` }),
  );
  // of the processor, not of the clock: what else the machine does takes none of it
  const before = process.cpuUsage();
  gains(turns, new Map(), { participant: 0.3 }, { ...cues, query });
  expect(process.cpuUsage(before).user).toBeLessThan(700_000);
});
