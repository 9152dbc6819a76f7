import { expect, test } from '@jest/globals';
import { logLines } from '../harness/logs.js';
import { BAD_INPUTS } from './bad-inputs.js';
import { product } from './product.js';

test('no process had to log an error, or to be started again', async () => {
  const loci = await product();
  const lines = await logLines(loci);
  expect(lines.filter(({ level }) => level === 'info').length).toBeGreaterThan(BAD_INPUTS.length);
  expect(lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(loci.printed).not.toMatch(/ died | did not come back/);
});
