import { beforeEach, expect, test } from '@jest/globals';
import { type DueWebhook } from './webhook.js';
import { MAX_DELIVERIES, MAX_DELIVERIES_OF_ORGANIZATION, WebhookSlots } from './webhook-slots.js';

let slots: WebhookSlots;

beforeEach(() => {
  slots = new WebhookSlots();
});

const webhook = (orgId: string, number: number): DueWebhook => ({
  id: `${orgId}/${number}`,
  orgId,
  isFailing: false,
  isLastTry: false,
});

/** @returns how many of its deliveries begin */
function begin(orgId: string, count: number): number {
  return Array.from({ length: count }, (_, number) => slots.take(webhook(orgId, number))).filter(Boolean)
    .length;
}

test('an organization has its share, however many it wants', () => {
  expect(begin('one', 100)).toBe(MAX_DELIVERIES_OF_ORGANIZATION);
  slots.free(webhook('one', 0));
  expect(begin('one', 100)).toBe(1);
});

test('organizations that want all there is leave some for those that have none under way', () => {
  const greedy = Array.from({ length: 20 }, (_, index) => begin(`greedy-${index}`, 100));
  const taken = greedy.reduce((sum, count) => sum + count, 0);
  expect(taken).toBeLessThanOrEqual(MAX_DELIVERIES);
  const full = Array.from({ length: 7 }, (_, index) => `greedy-${index}`);
  expect(greedy.slice(0, full.length)).toEqual(full.map(() => MAX_DELIVERIES_OF_ORGANIZATION));
  expect(Math.max(...greedy.slice(full.length))).toBe(1);
});

test('what is under way is not begun again', () => {
  expect([slots.take(webhook('one', 1)), slots.take(webhook('one', 1))]).toEqual([true, false]);
});

test('what may have ended its process twice is delivered with nothing beside it', () => {
  const [usual, deadly] = [webhook('one', 1), { ...webhook('two', 1), isLastTry: true }];
  expect([slots.take(usual), slots.take(deadly)]).toEqual([true, false]);
  slots.free(usual);
  expect([slots.take(deadly), slots.take(usual)]).toEqual([true, false]);
  slots.free(deadly);
  expect(slots.take(usual)).toBe(true);
});
