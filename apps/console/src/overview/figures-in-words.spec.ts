import { describe, expect, test } from '@jest/globals';
import { callsInWords, requestsInWords } from './figures-in-words.js';

describe('what is said of the last hour', () => {
  const took = { p50_ms: 6.24, p99_ms: 1310 };

  test('how long requests took, and of how many so many failed', () => {
    expect(requestsInWords({ requests: 42, failures: 0, ...took })).toBe('p50 6.2 ms · p99 1.3 s');
    expect(requestsInWords({ requests: 1042, failures: 8, ...took })).toBe(
      'p50 6.2 ms · p99 1.3 s · 8 of 1,042 requests failed',
    );
  });

  test('that there was no request, or none that was granted', () => {
    const none = { p50_ms: null, p99_ms: null };
    expect(requestsInWords({ requests: 0, failures: 0, ...none })).toBe('nothing in the last hour');
    expect(requestsInWords({ requests: 3, failures: 3, ...none })).toBe(
      'none was granted · 3 of 3 requests failed',
    );
  });

  test('that it is calls of models, not tokens, that failed', () => {
    const models = { calls: 120, failures: 8, input_tokens: 9000, output_tokens: 100 };
    expect(callsInWords(models)).toBe('120 calls of models in the last hour · 8 of these calls failed');
    expect(callsInWords({ ...models, failures: 0 })).toBe('120 calls of models in the last hour');
  });
});
