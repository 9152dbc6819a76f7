import { expect, test } from '@jest/globals';
import { TooLongRequests } from './too-long-requests.js';

const ASKED = { orgId: 'acme', model: 'small' };
const LATER_MS = 10 * 60_000;

test('what is as long as what was refused is known to be too long, and nothing shorter', () => {
  const requests = new TooLongRequests();
  expect(requests.has(ASKED, 1_000_000)).toBe(false);
  requests.note(ASKED, 5_000);
  requests.note(ASKED, 9_000);
  expect([4_999, 5_000, 9_000].map((tokens) => requests.has(ASKED, tokens))).toEqual([false, true, true]);
});

test('of another model, or for another organization, nothing is known', () => {
  const requests = new TooLongRequests();
  requests.note(ASKED, 5_000);
  expect(requests.has({ ...ASKED, model: 'large' }, 6_000)).toBe(false);
  expect(requests.has({ ...ASKED, orgId: 'globex' }, 6_000)).toBe(false);
});

test('after ten minutes it is tried again', () => {
  const requests = new TooLongRequests();
  requests.note(ASKED, 5_000, 0);
  expect(requests.has(ASKED, 5_000, LATER_MS - 1)).toBe(true);
  expect(requests.has(ASKED, 5_000, LATER_MS)).toBe(false);
  requests.note(ASKED, 9_000, LATER_MS);
  expect(requests.has(ASKED, 5_000, LATER_MS)).toBe(false);
});
