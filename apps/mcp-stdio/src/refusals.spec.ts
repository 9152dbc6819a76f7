import { expect, test } from '@jest/globals';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { refusalOf } from './refusals.js';
import { settingsOf } from './settings.js';

const open = settingsOf({});
const withKey = settingsOf({ LOCI_API_KEY: 'secret' });

test.each([
  ['no key', new StreamableHTTPError(401, ''), open, 'Set LOCI_API_KEY'],
  ['a wrong key', new StreamableHTTPError(401, ''), withKey, 'does not know the key in LOCI_API_KEY'],
  ['a key that may not read', new StreamableHTTPError(403, ''), withKey, 'may not read'],
  ['a wrong path', new StreamableHTTPError(404, ''), open, 'Correct LOCI_URL'],
  ['a page instead of an answer', new StreamableHTTPError(-1, ''), open, 'Correct LOCI_URL'],
  ['a redirect', new StreamableHTTPError(308, ''), open, 'Correct LOCI_URL'],
  ['overload', new StreamableHTTPError(503, 'Try again.'), open, '503'],
])('%s is told as such', (_, error, settings, text) => {
  const refusal = refusalOf(error, settings);
  expect(refusal).toEqual({ text: expect.stringContaining(text), isAway: false });
  expect(refusal.text).not.toContain('secret');
});

test('no answer from the address is being away, with the reason that fetch hides', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8080'), { code: 'ECONNREFUSED' });
  expect(refusalOf(new TypeError('fetch failed', { cause }), open)).toEqual({
    text: 'Loci at http://127.0.0.1:8080 did not answer: connect ECONNREFUSED 127.0.0.1:8080. Start it, or correct LOCI_URL.',
    isAway: true,
  });
});
