import { beforeEach, describe, expect, test } from '@jest/globals';
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

describe('when several models hang', () => {
  let now: number;
  let slots: WorkSlots;

  beforeEach(() => {
    now = 0;
    slots = new WorkSlots({ concurrency: 8, orgShare: 0.75, modelShare: 0.75 }, () => now);
    for (const model of ['first', 'second']) {
      for (let count = 0; count < 4; count += 1) slots.take(`${model} organization`, model);
    }
  });

  test('the others have slots beside them, however many organizations these are of', () => {
    expect(slots.areUsedUp).toBe(true);
    now = 20_000;
    expect(slots.areUsedUp).toBe(false);
    expect(slots.excluded('first')).toEqual({
      exceptOrgs: ['first organization', 'second organization'],
      exceptModels: ['first', 'second', ''],
    });
    slots.take('healthy', 'gpt');
    expect(slots.areUsedUp).toBe(false);
    slots.take('healthy', 'gpt');
    expect(slots.areUsedUp).toBe(true);
  });

  test('a slow one that ends work now and then is not one of them', () => {
    const giveBack = slots.take('patient', 'slow');
    slots.take('patient', 'slow');
    now = 15_000;
    giveBack();
    now = 20_000;
    expect(slots.excluded(undefined).exceptModels).toEqual(['first', 'second']);
    now = 35_000;
    expect(slots.excluded(undefined).exceptModels).toEqual(['first', 'second', 'slow']);
  });

  test('there are no more slots than ever where all models end their work', () => {
    const busy = new WorkSlots({ concurrency: 1, orgShare: 1, modelShare: 1 }, () => now);
    const giveBack = busy.take('acme', 'gpt');
    now = 10_000;
    giveBack();
    busy.take('acme', 'gpt');
    now = 25_000;
    expect(busy.areUsedUp).toBe(true);
  });
});
