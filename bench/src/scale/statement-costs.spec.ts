import { expect, test } from '@jest/globals';
import { statementsIn } from './statement-costs.js';

const LOG = `2026-11-24 17:00:00.000 UTC [11] LOG:  duration: 0.500 ms  parse claim: SELECT 1
2026-11-24 17:00:00.001 UTC [11] LOG:  duration: 1.000 ms  bind claim: SELECT 1
2026-11-24 17:00:00.001 UTC [12] LOG:  duration: 0.250 ms  statement: BEGIN
2026-11-24 17:00:00.002 UTC [11] LOG:  duration: 2.000 ms  execute claim: SELECT 1
2026-11-24 17:00:00.003 UTC [11] LOG:  duration: 0.100 ms  bind claim: SELECT 1
2026-11-24 17:00:00.004 UTC [11] LOG:  duration: 0.200 ms  execute claim: SELECT 1
2026-11-24 17:00:00.005 UTC [13] LOG:  duration: 7.000 ms  execute <unnamed>:
\tSELECT count(*)
\tFROM episodes
2026-11-24 17:00:00.006 UTC [13] ERROR:  no duration: nothing
`;

test('the steps of a statement count together, and a statement without a name is called by its text', () => {
  const took = statementsIn(LOG);
  expect([...took.keys()]).toEqual(['BEGIN', 'claim', 'SELECT count(*) FROM episodes']);
  expect(took.get('claim')?.map((ms) => ms.toFixed(1))).toEqual(['3.5', '0.3']);
  expect(took.get('SELECT count(*) FROM episodes')).toEqual([7]);
});
