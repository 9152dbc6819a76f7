import { expect, test } from '@jest/globals';
import { apiKeyDigest, apiKeyHint, isApiKeySecret, newApiKeySecret } from './api-key-secret.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a new secret is recognizable, never the same twice, and valid', () => {
  const secrets = Array.from({ length: 200 }, newApiKeySecret);
  expect(new Set(secrets).size).toBe(200);
  for (const secret of secrets) {
    expect(secret).toMatch(/^loci_[\w-]{48}$/);
    expect(isApiKeySecret(secret)).toBe(true);
  }
});

test('any wrong character, and any two neighbours swapped, are noticed without asking anybody', () => {
  const secret = newApiKeySecret();
  for (let place = 'loci_'.length; place < secret.length; place += 1) {
    for (const character of ALPHABET) {
      if (character === secret[place]) continue;
      expect(isApiKeySecret(secret.slice(0, place) + character + secret.slice(place + 1))).toBe(false);
    }
    const [a = '', b = ''] = secret.slice(place, place + 2);
    if (a === b || b === '') continue;
    expect(isApiKeySecret(secret.slice(0, place) + b + a + secret.slice(place + 2))).toBe(false);
  }
});

test.each([
  '',
  'loci_',
  'loci_abc',
  newApiKeySecret().slice(0, -1),
  `${newApiKeySecret()}A`,
  `x${newApiKeySecret()}`,
])('%j is no secret', (text) => expect(isApiKeySecret(text)).toBe(false));

test('digest and hint give nothing of the secret away that it could be used by', () => {
  const secret = newApiKeySecret();
  expect(apiKeyDigest(secret)).toMatch(/^[0-9a-f]{64}$/);
  expect(apiKeyHint(secret)).toHaveLength(11);
  expect(secret.startsWith(apiKeyHint(secret))).toBe(true);
});
