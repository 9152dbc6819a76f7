import { expect, test } from '@jest/globals';
import { readLongMemEval } from './longmemeval.js';

/** Hand-written, in the form that its README describes. */
const SAMPLE = [
  {
    question_id: 'q1',
    question_type: 'single-session-user',
    question: 'Which colour is my bicycle?',
    answer: 'green',
    question_date: '2023/05/30 (Tue) 23:40',
    haystack_session_ids: ['filler_1', 'answer_1'],
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 09:00'],
    haystack_sessions: [
      [
        { role: 'user', content: 'How long do potatoes boil?' },
        { role: 'assistant', content: '' },
      ],
      [
        { role: 'user', content: 'I painted my bicycle green.', has_answer: true },
        { role: 'assistant', content: 'A fine colour.', has_answer: false },
      ],
    ],
    answer_session_ids: ['answer_1'],
  },
  {
    question_id: 'q2_abs',
    question_type: 'single-session-user',
    question: 'Which colour is my car?',
    answer: 'You did not tell.',
    question_date: '2023/05/30 (Tue) 23:40',
    haystack_session_ids: ['answer_2'],
    haystack_dates: ['2023/05/21 (Sun) 09:00'],
    haystack_sessions: [[{ role: 'user', content: 'My bicycle is green.', has_answer: true }]],
    answer_session_ids: ['answer_2'],
  },
];

test('a question becomes a conversation with the turns that contain its answer', () => {
  const [conversation, ...others] = readLongMemEval(SAMPLE);
  expect(others).toEqual([]);
  expect(conversation).toEqual({
    id: 'q1',
    turns: [
      {
        id: '0:0',
        speaker: 'user',
        role: 'user',
        text: 'How long do potatoes boil?',
        saidAt: '2023-05-20T02:21:00.000Z',
      },
      {
        id: '1:0',
        speaker: 'user',
        role: 'user',
        text: 'I painted my bicycle green.',
        saidAt: '2023-05-21T09:00:00.000Z',
      },
      {
        id: '1:1',
        speaker: 'assistant',
        role: 'assistant',
        text: 'A fine colour.',
        saidAt: '2023-05-21T09:00:20.000Z',
      },
    ],
    questions: [
      {
        text: 'Which colour is my bicycle?',
        category: 'single-session-user',
        gold: ['1:0'],
        askedAt: '2023-05-30T23:40:00.000Z',
      },
    ],
  });
});

test('another file is refused with a word on what is wrong', () => {
  expect(() => readLongMemEval({})).toThrow('the file should be a list');
  const [first] = SAMPLE;
  expect(() => readLongMemEval([{ ...first, haystack_dates: ['yesterday', 'today'] }])).toThrow('is no date');
});
