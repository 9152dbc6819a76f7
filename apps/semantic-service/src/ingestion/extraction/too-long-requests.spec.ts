import { beforeEach, expect, test } from '@jest/globals';
import { TooLongRequests } from './too-long-requests.js';

const ASKED = { orgId: 'acme', model: 'small' };
const LATER_MS = 10 * 60_000;

let requests: TooLongRequests;

beforeEach(() => {
  requests = new TooLongRequests();
});

const known = (...tokens: readonly number[]): boolean[] => tokens.map((one) => requests.has(ASKED, one));

test('what is as long as what was refused is known to be too long, and nothing shorter', () => {
  expect(known(1_000_000)).toEqual([false]);
  requests.refused(ASKED, 5_000);
  requests.refused(ASKED, 9_000);
  expect(known(4_999, 5_000, 9_000)).toEqual([false, true, true]);
});

test('what is refused although something longer was answered says nothing of others', () => {
  requests.answered(ASKED, 8_000);
  requests.answered(ASKED, 500);
  requests.refused(ASKED, 2_000);
  expect(known(2_000, 9_000)).toEqual([false, false]);
  requests.refused(ASKED, 9_000);
  expect(known(8_500, 9_000)).toEqual([false, true]);
});

test('what is answered although something shorter was refused ends that', () => {
  requests.refused(ASKED, 2_000);
  requests.answered(ASKED, 1_999);
  expect(known(2_000)).toEqual([true]);
  requests.answered(ASKED, 2_000);
  expect(known(2_000, 9_000)).toEqual([false, false]);
});

test('of another model, or for another organization, nothing is known', () => {
  requests.refused(ASKED, 5_000);
  expect(requests.has({ ...ASKED, model: 'large' }, 6_000)).toBe(false);
  expect(requests.has({ ...ASKED, orgId: 'globex' }, 6_000)).toBe(false);
});

test('after ten minutes it is tried again', () => {
  requests.refused(ASKED, 5_000, 0);
  expect(requests.has(ASKED, 5_000, LATER_MS - 1)).toBe(true);
  expect(requests.has(ASKED, 5_000, LATER_MS)).toBe(false);
  requests.refused(ASKED, 9_000, LATER_MS);
  expect(requests.has(ASKED, 5_000, LATER_MS)).toBe(false);
});
