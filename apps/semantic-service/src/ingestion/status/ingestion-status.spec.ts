import { describe, expect, test } from '@jest/globals';
import { instantFromDate } from '@loci/contracts';
import { type IngestionStatus, outlookOf } from './ingestion-status.js';

const at = (second: number) => instantFromDate(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));

const status: IngestionStatus = {
  setId: 'mem_project_set_x',
  isOrgLevel: false,
  state: 'idle',
  waiting: 3,
  oldestAt: at(0),
  fresh: 3,
  putOff: 0,
  freshSince: at(0),
  attempts: 0,
  leaseUntil: undefined,
  runAfter: at(30),
  code: undefined,
  reason: undefined,
  failing: [],
  deadLetters: 0,
  changedAt: at(0),
};

const settings = { isOn: true, triggers: { messages: 5, ageSeconds: 20 } };

describe('why messages wait', () => {
  test('for as many more when a consolidation waits for them', () => {
    const reason = 'Ingestion begins with 10 messages (5 have come), or 20 s after the oldest came.';
    expect(outlookOf({ ...status, fresh: 5, putOff: 5 }, settings)).toMatchObject({ reason });
  });

  test('for the trigger: how many are there and needed, and when age brings it about', () => {
    expect(outlookOf(status, settings)).toEqual({
      code: 'waiting_for_trigger',
      reason: 'Ingestion begins with 5 messages (3 have come), or 20 s after the oldest came.',
      nextAttemptAt: at(20),
    });
  });

  test('for the trigger, although it is not known', () => {
    expect(outlookOf(status, { isOn: true, triggers: undefined })).toMatchObject({
      code: 'waiting_for_trigger',
    });
  });

  test('for a worker', () => {
    expect(outlookOf({ ...status, state: 'due' }, settings)).toMatchObject({ code: 'waiting_for_worker' });
  });

  test('because they are being ingested: there is no next attempt', () => {
    expect(outlookOf({ ...status, state: 'running' }, settings)).not.toHaveProperty('nextAttemptAt');
  });

  test.each(['idle', 'due', 'retrying', 'blocked'] as const)('because it is switched off: %s', (state) => {
    const outlook = outlookOf({ ...status, state }, { ...settings, isOn: false });
    expect(outlook).toMatchObject({ code: 'semantic_memory_disabled' });
    expect(outlook).not.toHaveProperty('nextAttemptAt');
  });

  test.each(['retrying', 'blocked'] as const)('because of what went wrong: %s', (state) => {
    const failed = { ...status, state, code: 'language_model_unavailable', reason: 'It is down.' };
    expect(outlookOf(failed, settings)).toEqual({
      code: 'language_model_unavailable',
      reason: 'It is down.',
      nextAttemptAt: at(30),
    });
  });

  test('because there is no model: there is no next attempt', () => {
    const blocked = { ...status, state: 'blocked', code: 'resource_not_ready', reason: 'No model.' } as const;
    expect(outlookOf(blocked, settings)).toEqual({ code: 'resource_not_ready', reason: 'No model.' });
  });
});

test('there is nothing to say when nothing waits', () => {
  expect(outlookOf({ ...status, waiting: 0 }, settings)).toBeUndefined();
});
