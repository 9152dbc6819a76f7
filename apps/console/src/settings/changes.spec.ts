import { expect, test } from '@jest/globals';
import { changesOf } from './changes.js';

test('only what was changed is sent', () => {
  const before = { enabled: true, trusted: ['alice', 'crm-*'], days: 7 };
  expect(changesOf(before, { ...before })).toEqual({});
  expect(changesOf(before, { enabled: false, trusted: ['alice', 'crm-*'], days: 0 })).toEqual({
    enabled: false,
    days: 0,
  });
  expect(changesOf(before, { ...before, trusted: [] })).toEqual({ trusted: [] });
});
