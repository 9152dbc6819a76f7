import { expect, test } from '@jest/globals';
import { FloodingNetworks } from './flooding-networks.js';

test('a network floods with its twentieth connection that was hung up on, and no other one does', () => {
  const flooding = new FloodingNetworks();
  for (let count = 1; count < 20; count += 1) flooding.note('192.0.2.1');
  expect(flooding.isFlooding('192.0.2.1')).toBe(false);
  flooding.note('192.0.2.1');
  expect(flooding.isFlooding('192.0.2.1')).toBe(true);
  expect(flooding.isFlooding('192.0.2.2')).toBe(false);
});
