import { expect, test } from '@jest/globals';
import { countTokens } from '@loci/platform';
import { withinBudget } from './token-budget.js';

test('a line that does not fit is read once, however often it is offered', () => {
  const lines = [
    { rank: 1, text: 'tea without sugar.' },
    { rank: 2, text: 'a walk along the harbour '.repeat(12) },
  ];
  const read: number[] = [];
  const textOf = ({ rank, text }: (typeof lines)[number]): string => {
    read.push(rank);
    return text;
  };
  const blocks = [
    { heading: 'Facts', share: 0.5, lines },
    { heading: 'Turns', share: 0.5, yields: true, lines: [] },
  ];
  expect(withinBudget(blocks, 40, textOf)).toEqual([
    { lines: new Set(lines.slice(0, 1)), tokens: countTokens('Facts\ntea without sugar.') },
    { lines: new Set(), tokens: 0 },
  ]);
  expect(read).toEqual([1, 2]);
});
