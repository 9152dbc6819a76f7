import { expect, test } from '@jest/globals';
import { SettlementGate } from './settlement-gate.js';

test('lets messages of the current consumer pass, and no others', async () => {
  const gate = new SettlementGate();
  gate.open('second');
  expect(await gate.pass('second')).toBe(true);
  expect(await gate.pass('first')).toBe(false);
});

test('a caller that comes while it is closed waits for the verdict', async () => {
  const gate = new SettlementGate();
  gate.open('first');
  gate.close();
  const same = gate.pass('first');
  const other = gate.pass('older');
  gate.open('first');
  expect(await Promise.all([same, other])).toEqual([true, false]);
});

test('turns everybody away when it will not open again', async () => {
  const gate = new SettlementGate();
  const waiting = gate.pass('first');
  gate.finish();
  expect(await waiting).toBe(false);
});
