import { expect, test } from '@jest/globals';
import { FloodingNetworks } from './flooding-networks.js';

test('a network floods with its third connection that was hung up on, and no other one does', () => {
  const told: string[] = [];
  const flooding = new FloodingNetworks((network) => told.push(network));
  for (let count = 1; count < 3; count += 1) flooding.note('192.0.2.1');
  expect(flooding.isFlooding('192.0.2.1')).toBe(false);
  for (let count = 1; count < 3; count += 1) flooding.note('192.0.2.1');
  expect(flooding.isFlooding('192.0.2.1')).toBe(true);
  expect(flooding.isFlooding('192.0.2.2')).toBe(false);
  expect(told).toEqual(['192.0.2.1']);
});
