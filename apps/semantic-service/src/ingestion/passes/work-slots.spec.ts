import { expect, test } from '@jest/globals';
import { WorkSlots } from './work-slots.js';

const limits = { concurrency: 4, orgShare: 0.5, modelShare: 0.75 };

test('an organization that has its share is passed over until it gives a slot back', () => {
  const slots = new WorkSlots(limits);
  slots.take('acme', 'gpt');
  expect(slots.excluded('gpt')).toEqual({ exceptOrgs: [], exceptModels: [] });
  const giveBack = slots.take('acme', 'gpt');
  expect(slots.excluded('gpt').exceptOrgs).toEqual(['acme']);
  giveBack();
  expect(slots.excluded('gpt').exceptOrgs).toEqual([]);
});

test('a model that has its share is passed over, also where it is the default of sets that name none', () => {
  const slots = new WorkSlots(limits);
  for (const org of ['acme', 'globex', 'initech']) slots.take(org, 'gpt');
  expect(slots.excluded('gpt').exceptModels).toEqual(['gpt', '']);
  expect(slots.excluded('another').exceptModels).toEqual(['gpt']);
  expect(slots.areUsedUp).toBe(false);
  slots.take('umbrella', 'another');
  expect(slots.areUsedUp).toBe(true);
});

test('the smallest process works for everybody', () => {
  const slots = new WorkSlots({ concurrency: 1, orgShare: 0.1, modelShare: 0.1 });
  expect(slots.excluded('gpt')).toEqual({ exceptOrgs: [], exceptModels: [] });
});

test('a model that takes no requests for now is passed over, and its sets hold no slot', () => {
  const slots = new WorkSlots(limits);
  expect(slots.excluded('gpt', ['gpt']).exceptModels).toEqual(['gpt', '']);
  expect(slots.excluded('another', ['gpt']).exceptModels).toEqual(['gpt']);
});
