import { describe, expect, test } from '@jest/globals';
import { processorMicros } from '@loci/testing';
import { keptTexts, withoutSecrets } from './kept-texts.js';

describe('what is kept of the texts of a call', () => {
  test('is at most 200,000 characters of a prompt and 100,000 of a reply, and says when it is cut', () => {
    const prompt = [
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'a'.repeat(300_000) },
    ] as const;
    const kept = keptTexts(prompt, 'b'.repeat(200_000));
    expect(kept.prompt.map(({ content }) => content.length)).toEqual([5, 199_995]);
    expect(kept.reply).toHaveLength(100_000);
    expect(kept.isCut).toBe(true);
    expect(keptTexts([{ role: 'user', content: 'short' }], undefined)).toEqual({
      prompt: [{ role: 'user', content: 'short' }],
      reply: undefined,
      isCut: false,
    });
  });

  test('ends with a whole character', () => {
    const [message] = keptTexts(
      [{ role: 'user', content: `${'a'.repeat(199_999)}\u{1f600}` }],
      undefined,
    ).prompt;
    expect(message?.content.at(-1)).toBe('\ufffd');
  });

  test.each([
    ['sk-proj-', 'abcdefghijklmnopqrstuvwx'],
    ['ghp_', 'abcdefghijklmnopqrstuvwxyz0123'],
    ['AKIA', 'ABCDEFGHIJKLMNOP'],
    ['eyJhbGciOiJI', '.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlc2ln'],
    ['of-the-host.eyJhbGciOiJI', '.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlc2ln'],
    ['token-eyJhbGciOiJI', '.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlc2ln'],
    ['Bearer ', 'abcdefghijklmnopqrstuvwx'],
    ['-----BEGIN RSA PRIVATE KEY-----', '\nMIIE\n-----END RSA PRIVATE KEY-----'],
  ])('has no credential like %s…', (begin, rest) => {
    expect(withoutSecrets(`It is ${begin}${rest} and more.`)).toBe('It is [redacted] and more.');
  });

  test('has words and numbers as they were', () => {
    const text =
      'My task-force met on 2026-01-01; sku sk-12, Bearer of news, key of the house, www.of-many-words.example-of-it.organization.';
    expect(withoutSecrets(text)).toBe(text);
  });

  test.each(['-----BEGIN PRIVATE KEY-----', 'eyJ', 'eyJ-', 'eyJhbGciOiJI.', 'sk-', 'Bearer ', 'AKIA', 'a.'])(
    'takes linear time for many %j',
    async (part) => {
      const text = part.repeat(200_000 / part.length);
      expect(await processorMicros(() => withoutSecrets(text))).toBeLessThan(500_000);
    },
  );
});
