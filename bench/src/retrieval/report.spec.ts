import { expect, test } from '@jest/globals';
import { judge } from './metrics.js';
import { comparisonOf, costOf, type Outcome, reportOf } from './report.js';

const outcome = (configuration: string, hits: readonly string[], more: Partial<Outcome> = {}): Outcome => ({
  configuration,
  turns: 10,
  indexing: { tookMs: 200, processorMs: 50 },
  asking: { tookMs: 30, processorMs: 8 },
  answers: [10, 20].map((tookMs) => ({
    conversation: 'c',
    question: 'q',
    category: 'temporal',
    quality: judge(hits, ['a', 'b']),
    tookMs,
  })),
  ...more,
});

test('cost is per message and per query', () => {
  expect(costOf(outcome('one', ['a']))).toEqual({
    indexMsPerMessage: 20,
    indexProcessorMsPerMessage: 5,
    queryP50Ms: 20,
    queryP99Ms: 20,
    queryProcessorMs: 4,
  });
});

test('what was not measured is said to be unknown, and an index that was there cost nothing', () => {
  const asking = { tookMs: 30, processorMs: undefined };
  const report = reportOf(outcome('one', ['a'], { indexing: undefined, asking }));
  expect(report).toContain('as of the configuration before');
  expect(report).toContain('processor unknown');
});

test('configurations stand side by side with what each gains', () => {
  const compared = comparisonOf([outcome('one', ['a']), outcome('two', ['a', 'b'])]);
  expect(compared).toMatch(/\| one \| 50\.0 .* \| \+0\.0 \| 4\.0 \|/);
  expect(compared).toMatch(/\| two \| 100\.0 .* \| \+50\.0 \| 4\.0 \|/);
  expect(comparisonOf([outcome('one', ['a'])])).toBe('');
});
