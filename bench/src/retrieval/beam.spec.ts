import { expect, test } from '@jest/globals';
import { readBeam } from './beam.js';

const turn = (id: number, role: string, content: string, time_anchor: string | null = null) => ({
  id,
  role,
  content,
  time_anchor,
  index: `1,${id}`,
  question_type: null,
});

const row = {
  conversation_id: '1',
  chat: [
    [
      turn(0, 'user', 'I plan a garden.', 'March-15-2024'),
      turn(1, 'assistant', 'Begin with the soil.'),
      turn(2, 'user', ' '),
    ],
    [
      turn(3, 'user', 'I planted roses.'),
      turn(7, 'user', 'One.'),
      turn(7, 'user', 'Another with the same id.'),
    ],
  ],
  probing_questions: {
    abstention: [{ question: 'What did the neighbour say?', source_chat_ids: [] }],
    information_extraction: [{ question: 'What do I plan?', source_chat_ids: [0, 0] }],
    knowledge_update: [
      { question: 'What is planted?', source_chat_ids: { original_info: [0], updated_info: [[3], [7]] } },
      { question: 'What was never said?', source_chat_ids: [99] },
    ],
  },
};

test('turns have their roles, and the date of their session', () => {
  const [conversation] = readBeam([row]);
  expect(conversation).toMatchObject({ id: 'beam-1' });
  expect(conversation?.turns.slice(0, 3)).toEqual([
    { id: '0', speaker: 'user', role: 'user', text: 'I plan a garden.', saidAt: '2024-03-15T00:00:00.000Z' },
    {
      id: '1',
      speaker: 'assistant',
      role: 'assistant',
      text: 'Begin with the soil.',
      saidAt: '2024-03-15T00:00:20.000Z',
    },
    { id: '3', speaker: 'user', role: 'user', text: 'I planted roses.', saidAt: '2024-03-16T00:00:00.000Z' },
  ]);
});

test.each([
  ['an object', row],
  ['JSON', { ...row, probing_questions: JSON.stringify(row.probing_questions) }],
])('questions that are %s name the messages that answer them, each once, at any depth', (_, given) => {
  const [conversation] = readBeam([given]);
  expect(conversation?.questions.map(({ text, category, gold }) => [text, category, gold])).toEqual([
    ['What do I plan?', 'information_extraction', ['0']],
    ['What is planted?', 'knowledge_update', ['0', '3']],
  ]);
});
