import { expect, test } from '@jest/globals';
import { LossEvidence } from './loss-evidence.js';

test('one answer, or many at one moment, are not believed', () => {
  const evidence = new LossEvidence({ confirmations: 3, spanMs: 1_000 });
  expect([0, 1, 2, 3, 4].map((ms) => evidence.addMissing('one', ms))).not.toContain(true);
});

test('few answers over a long time are not believed', () => {
  const evidence = new LossEvidence({ confirmations: 3, spanMs: 1_000 });
  expect([0, 60_000].map((ms) => evidence.addMissing('one', ms))).toEqual([false, false]);
});

test('enough answers over enough time are believed, for the index that they are about', () => {
  const evidence = new LossEvidence({ confirmations: 3, spanMs: 1_000 });
  expect([0, 500, 1_000].map((ms) => evidence.addMissing('one', ms))).toEqual([false, false, true]);
  expect(evidence.addMissing('other', 1_000)).toBe(false);
});

test('an answer that contradicts them makes it begin anew', () => {
  const evidence = new LossEvidence({ confirmations: 2, spanMs: 0 });
  evidence.addMissing('one', 0);
  evidence.clear('one');
  expect(evidence.addMissing('one', 10)).toBe(false);
});
