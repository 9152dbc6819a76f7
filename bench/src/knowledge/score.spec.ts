import { describe, expect, test } from '@jest/globals';
import { type Dialogue, readDialogues } from './dialogue.js';
import { differenceOf, type KnowledgeResults, reportOf } from './report.js';
import { type LearnedFeature, scoreDialogue } from './score.js';

const DIALOGUE: Dialogue = {
  id: 'moved',
  kind: 'updates',
  parts: [],
  gold: [
    { subject: 'mira', says: ['Gothenburg'], messages: [2], valid_from: '2024-03', replaces: 'Valencia' },
  ],
  absent: ['lives in valencia', 'yacht'],
  replies: [],
};

const NOW: LearnedFeature = {
  subject: 'mira',
  value: 'Lives in Gothenburg',
  validFrom: '2024-03-01',
  validUntil: undefined,
  isLive: true,
  isReplaced: false,
  messages: [2],
};
const BEFORE: LearnedFeature = {
  ...NOW,
  ...{ value: 'Lives in Valencia', isLive: false, isReplaced: true, validFrom: undefined, messages: [1] },
};

const rightOf = (learned: readonly LearnedFeature[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(scoreDialogue(DIALOGUE, learned).scores).map(([name, { right, of }]) => [
      name,
      `${right}/${of}`,
    ]),
  );

test('what is as the gold labels say has every point and no mistake', () => {
  expect(rightOf([NOW, BEFORE])).toEqual({
    ...{ 'facts found': '1/1', 'facts that are right': '1/1', subjects: '1/1', dates: '1/1' },
    ...{ updates: '1/1', citations: '1/1', abstentions: '2/2' },
  });
  expect(scoreDialogue(DIALOGUE, [NOW, BEFORE]).mistakes).toEqual([]);
});

test.each([
  ['facts found', '0/1', []],
  ['facts that are right', '1/2', [NOW, { ...NOW, value: 'Likes tea' }]],
  ['subjects', '0/1', [{ ...NOW, subject: 'bob' }]],
  ['dates', '0/1', [{ ...NOW, validFrom: '2023' }]],
  ['updates', '0/1', [NOW, { ...BEFORE, isReplaced: false }]],
  ['updates', '0/1', [NOW, BEFORE, { ...BEFORE, isLive: true }]],
  ['citations', '0/1', [{ ...NOW, messages: [1, 2] }]],
  ['abstentions', '1/2', [NOW, { ...NOW, value: 'Owns a Yacht' }]],
])('%s: a mistake costs a point, and is named', (name, expected, learned) => {
  expect(rightOf(learned)[name]).toBe(expected);
  expect(scoreDialogue(DIALOGUE, learned).mistakes.length).toBeGreaterThan(0);
});

describe('a report', () => {
  const results = (promptVersion: number, learned: readonly LearnedFeature[]): KnowledgeResults => ({
    ...{ model: 'gpt', promptVersion },
    dialogues: [scoreDialogue(DIALOGUE, learned)],
  });

  test('has the scores of each kind and of all, and every mistake', () => {
    const report = reportOf(results(3, [NOW]));
    expect(report).toMatch(/^\| updates \| 100 % \(1 of 1\)/m);
    expect(report).toContain('moved: not kept as what held before: Valencia');
  });

  test('shows what another prompt changes', () => {
    const difference = differenceOf(results(3, [NOW, BEFORE]), results(4, [NOW]));
    expect(difference).toContain('updates: 100 % (1 of 1) before, 0 % (0 of 1) now');
    expect(difference).toContain('new mistake: moved: not kept as what held before: Valencia');
    expect(differenceOf(results(3, [NOW]), results(4, [NOW]))).toContain('nothing differs');
  });
});

describe('the dialogues', () => {
  const dialogues = readDialogues();

  test('are thirty, five of each kind, each with an id of its own', () => {
    expect(new Set(dialogues.map(({ id }) => id)).size).toBe(30);
    const kinds = [...new Set(dialogues.map(({ kind }) => kind))];
    const counts = kinds.map((kind) => dialogues.filter((one) => one.kind === kind).length);
    expect(counts).toEqual([5, 5, 5, 5, 5, 5]);
  });

  test.each(dialogues)('$id: labels and replies name messages that are there', ({ parts, gold, replies }) => {
    const count = parts.flat().length;
    for (const { messages } of gold) {
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.every((number) => number >= 1 && number <= count)).toBe(true);
    }
    expect(replies).toHaveLength(parts.length);
    for (const [index, reply] of replies.entries()) {
      const size = parts[index]?.length ?? 0;
      if (typeof reply === 'string') throw new Error('a reply of the repository is JSON');
      for (const { messages } of reply.commands)
        expect(messages.every((number) => number >= 1 && number <= size)).toBe(true);
    }
  });
});
