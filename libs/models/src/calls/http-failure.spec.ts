import { expect, test } from '@jest/globals';
import { failureOfStatus } from './http-failure.js';

test('an account that has to be paid is not the fault of what was asked', () => {
  expect(failureOfStatus({ status: 402, text: 'Insufficient balance' })).toMatchObject({
    reason: 'unauthorized',
    isInVain: true,
  });
  expect(failureOfStatus({ status: 400, text: 'Not like this' })).toMatchObject({ reason: 'rejected' });
});
