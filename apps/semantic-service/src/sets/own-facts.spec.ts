import { expect, test } from '@jest/globals';
import { RequestContext } from '@loci/platform';
import { requireOwnFact } from './own-facts.js';

const SHARED = { tags: {} };
const OF_ALICE = { tags: { user_id: 'alice' } };

const asMallory = (work: () => void): void =>
  RequestContext.run({ requestId: 'r', author: { kind: 'api-key', id: 'k', producer: 'mallory' } }, work);

test.each([
  ['its own subject', { subject: 'mallory' }, SHARED],
  ['no subject', {}, SHARED],
  ['an empty subject', { subject: '' }, SHARED],
  ['its own user in the metadata', { metadata: { user_id: 'mallory' } }, SHARED],
  [
    'its own subject in a set of its own',
    { subject: 'mallory' },
    { tags: { producer_id: 'mallory', day: '1' } },
  ],
])('a bound key vouches for a fact with %s', (_what, fact, set) => {
  expect(() => asMallory(() => requireOwnFact(fact, set))).not.toThrow();
});

test.each([
  ['another subject', { subject: 'alice' }, SHARED],
  ['another user in the metadata', { metadata: { user_id: 'alice' } }, SHARED],
  [
    'another user in the metadata beside its own subject',
    { subject: 'mallory', metadata: { user_id: 'alice' } },
    SHARED,
  ],
  ['no subject in the set of another', { subject: '' }, OF_ALICE],
  ['its own subject in the set of another', { subject: 'mallory' }, OF_ALICE],
  ['no subject in a set of a session of another', {}, { tags: { producer_id: 'alice', session_id: '1' } }],
  ['no subject in a set of itself and another', {}, { tags: { producer_id: 'mallory', user_id: 'alice' } }],
])('a bound key does not vouch for a fact with %s', (_what, fact, set) => {
  expect(() => asMallory(() => requireOwnFact(fact, set))).toThrow(
    expect.objectContaining({ code: 'producer_not_allowed' }),
  );
});

test('a key that is bound to none vouches for any', () => {
  expect(() => requireOwnFact({ subject: 'alice' }, OF_ALICE)).not.toThrow();
});
