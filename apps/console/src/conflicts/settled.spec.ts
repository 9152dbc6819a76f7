import { expect, test } from '@jest/globals';
import { settled } from './settled.js';

const answer = (ended: number, left: number): Headers =>
  new Headers({ 'x-ended-count': String(ended), 'x-left-count': String(left) });

const WHY = 'they are too many or too large to end at once. Settle again to end more.';

test.each([
  [answer(1, 0), 'One other has ended.'],
  [answer(2, 0), '2 others have ended.'],
  [answer(2, 1), `2 others have ended. 1 is left as it was: ${WHY}`],
  [answer(1_000, 3), `1,000 others have ended. 3 are left as they were: ${WHY}`],
  [answer(1_000, 1_000), `1,000 others have ended. At least 1,000 are left as they were: ${WHY}`],
  [new Headers(), 'This is settled. What conflicts still is listed.'],
])('what is said of a settlement is what its answer says: %#', (headers, said) => {
  expect(settled(headers)).toBe(said);
});
