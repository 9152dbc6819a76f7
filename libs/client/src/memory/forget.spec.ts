import { expect, test } from '@jest/globals';
import { Loci, where } from '../index.js';

/** A server that counts two messages, and has deleted five of them when it is asked the second time. */
function memory() {
  const job = { id: 'j', requested_at: '2024-05-01T00:00:00Z', matching: 2, error: null };
  const states = [
    { state: 'deleting', deleted: 0 },
    { state: 'deleting', deleted: 2 },
    { state: 'purging', deleted: 5 },
  ];
  const fetch = () => Promise.resolve(Response.json({ ...job, ...states.shift() }));
  return new Loci({ url: 'http://127.0.0.1:9', fetch }).memory({ org: 'acme', project: 'p' });
}

const filter = where({ session_id: 's' });

test('who waits until messages are forgotten learns how many were deleted', async () => {
  expect(await memory().forget(filter)).toBe(5);
});

test('who does not wait learns how many matched', async () => {
  expect(await memory().forget(filter, { wait: false })).toBe(2);
});
