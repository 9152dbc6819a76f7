import { expect, test } from '@jest/globals';
import { type Conversation } from './dataset.js';
import { laidOut } from './layout.js';

/** Two sessions, and one. */
const CONVERSATIONS: readonly Conversation[] = [
  {
    id: 'a',
    turns: [
      { id: '1', speaker: 'ann', text: 'one', saidAt: '2024-01-01T10:00:00.000Z' },
      { id: '2', speaker: 'bob', text: 'two', saidAt: '2024-01-01T10:00:20.000Z' },
      { id: '3', speaker: 'ann', text: 'three', saidAt: '2024-02-01T10:00:00.000Z' },
    ],
    questions: [{ text: 'Who?', category: 'x', gold: ['2'], askedAt: '2024-02-01T10:00:00.000Z' }],
  },
  {
    id: 'b',
    turns: [
      { id: '1', speaker: 'eve', text: 'four', saidAt: '2020-07-01T08:00:00.000Z' },
      { id: '2', speaker: 'tim', text: 'five', saidAt: '2020-07-01T08:00:20.000Z' },
    ],
    questions: [{ text: 'What?', category: 'x', gold: ['1'], askedAt: '2020-07-01T08:00:20.000Z' }],
  },
];

test('interleaved conversations are one, in rotation, and questions know theirs', () => {
  const [project, ...others] = laidOut(CONVERSATIONS, 'interleaved');
  expect(others).toEqual([]);
  expect(project?.turns.map(({ id, session }) => [id, session])).toEqual([
    ['a/1', 'a'],
    ['b/1', 'b'],
    ['a/2', 'a'],
    ['b/2', 'b'],
    ['a/3', 'a'],
  ]);
  expect(project?.questions[1]).toMatchObject({ session: 'b', gold: ['b/1'] });
});

test('aligned ones stay apart, with the times that they would have there', () => {
  const [a, b] = laidOut(CONVERSATIONS, 'aligned');
  expect(a?.turns).toEqual(CONVERSATIONS[0]?.turns);
  expect(b?.turns.map(({ saidAt }) => saidAt)).toEqual([
    '2024-01-01T10:00:10.000Z',
    '2024-01-01T10:00:30.000Z',
  ]);
  expect(b?.questions[0]?.askedAt).toBe('2024-01-01T10:00:30.000Z');
});

test('alone they are what they were', () => {
  expect(laidOut(CONVERSATIONS, 'alone')).toBe(CONVERSATIONS);
});
