import { expect, test } from '@jest/globals';
import { formerValidUntil } from './api-key.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const SOON = new Date(NOW + 1);
const LATER = new Date(NOW + 2);
const OVER = new Date(NOW);

test.each([
  ['as long as its grace', { expiresAt: undefined, formerExpiresAt: SOON }, SOON],
  ['no longer than its key', { expiresAt: SOON, formerExpiresAt: LATER }, SOON],
  ['no longer than its grace', { expiresAt: LATER, formerExpiresAt: SOON }, SOON],
  ['not at all when its grace is over', { expiresAt: undefined, formerExpiresAt: OVER }, undefined],
  ['not at all when its key is over', { expiresAt: OVER, formerExpiresAt: LATER }, undefined],
  ['not at all when it had no grace', { expiresAt: LATER, formerExpiresAt: undefined }, undefined],
])('a former secret is valid %s', (_, key, until) => {
  expect(formerValidUntil(key, NOW)).toEqual(until);
});
