import { expect, test } from '@jest/globals';
import { FIRST_STEP, nextStep } from './counting-step.js';

/** The steps that follow where a thousand rows take so long. */
function stepsAt(msOfThousand: number, count: number): number[] {
  const steps = [FIRST_STEP];
  while (steps.length < count) {
    const step = steps.at(-1) ?? 0;
    steps.push(nextStep(step, (step / 1000) * msOfThousand));
  }
  return steps;
}

test('steps grow until one takes a quarter of a second, four times at most at once', () => {
  expect(stepsAt(4, 4)).toEqual([10_000, 40_000, 62_500, 62_500]);
});

test('no step is larger than a hundred thousand', () => {
  expect(stepsAt(1, 4)).toEqual([10_000, 40_000, 100_000, 100_000]);
});

test('a step that took longer is followed by a smaller one', () => {
  expect(stepsAt(1000, 3)).toEqual([10_000, 250, 250]);
  expect(nextStep(1, 60_000)).toBe(1);
});

test('a step that took no time that can be measured is followed by one that is four times as large', () => {
  expect(nextStep(10, 0)).toBe(40);
});
