import { expect, test } from '@jest/globals';
import { apiKeyDigest, apiKeyHint, hasApiKeyTag, isApiKeySecret, newApiKeySecret } from './api-key-secret.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a new secret is recognizable, never the same twice, and valid', () => {
  const secrets = Array.from({ length: 200 }, () => newApiKeySecret());
  expect(new Set(secrets).size).toBe(200);
  for (const secret of secrets) {
    expect(secret).toMatch(/^loci_[\w-]{48}$/);
    expect(isApiKeySecret(secret)).toBe(true);
  }
});

test('any wrong character, and any two neighbours swapped, are noticed without a request', () => {
  const secret = newApiKeySecret();
  for (let index = 'loci_'.length; index < secret.length; index += 1) {
    for (const character of ALPHABET) {
      if (character === secret[index]) continue;
      expect(isApiKeySecret(secret.slice(0, index) + character + secret.slice(index + 1))).toBe(false);
    }
    const [a = '', b = ''] = secret.slice(index, index + 2);
    if (a === b || b === '') continue;
    expect(isApiKeySecret(secret.slice(0, index) + b + a + secret.slice(index + 2))).toBe(false);
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

test('a secret that is tagged has the form of one that is not, and is known by the key of its deployment alone', () => {
  const [own, foreign] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const secrets = Array.from({ length: 200 }, () => newApiKeySecret(own));
  expect(new Set(secrets.map((secret) => secret.slice(0, 30))).size).toBe(200);
  for (const secret of secrets) {
    expect(secret).toMatch(/^loci_[\w-]{48}$/);
    expect(isApiKeySecret(secret)).toBe(true);
    expect(hasApiKeyTag(secret, own)).toBe(true);
    expect(hasApiKeyTag(secret, foreign)).toBe(false);
    expect(hasApiKeyTag(newApiKeySecret(), own)).toBe(false);
  }
});

test('digest and hint give nothing of the secret away that it could be used by', () => {
  const secret = newApiKeySecret();
  expect(apiKeyDigest(secret)).toMatch(/^[0-9a-f]{64}$/);
  expect(apiKeyHint(secret)).toHaveLength(11);
  expect(secret.startsWith(apiKeyHint(secret))).toBe(true);
});
