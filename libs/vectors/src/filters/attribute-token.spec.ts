import { describe, expect, test } from '@jest/globals';
import {
  type AttributeFact,
  type AttributeSource,
  attributeToken,
  attributeTokens,
} from './attribute-token.js';

const point = (metadata: Record<string, string>, fields: Record<string, string> = {}): string[] =>
  attributeTokens({ metadata, fields, createdAt: '2024-01-01T00:00:00.000000Z' });

const metadataText = (key: string, value: string): string => attributeToken('metadata', key, ['text', value]);

describe('no two facts share a token', () => {
  const facts: [AttributeSource, string, AttributeFact][] = [
    ['metadata', 'a', ['present']],
    ['field', 'a', ['present']],
    ['metadata', 'a', ['text', '5']],
    ['metadata', 'a', ['number', 5]],
    ['metadata', 'a', ['text', '5.0']],
    ['metadata', 'a', ['text', 'present']],
    ['metadata', 'a', ['text', '']],
    ['metadata', 'a=5', ['present']],
    ['metadata', 'a","text","5', ['present']],
    ['metadata', 'a\u0000', ['text', '5']],
    ['metadata', 'a', ['text', '\u00005']],
    ['metadata', 'a.b', ['text', 'c']],
    ['metadata', 'a', ['text', `${'x'.repeat(5000)}1`]],
    ['metadata', 'a', ['text', `${'x'.repeat(5000)}2`]],
  ];

  test('whatever quotes, dots, zeros or lengths are in it', () => {
    const tokens = facts.map((fact) => attributeToken(...fact));
    expect(new Set(tokens).size).toBe(facts.length);
    expect(tokens.filter((token) => token.length !== 22)).toEqual([]);
  });
});

test('a point says of each key that it is there, and which text it has', () => {
  expect(point({ kind: 'note' }, { kind: 'user' })).toEqual([
    attributeToken('metadata', 'kind', ['present']),
    metadataText('kind', 'note'),
    attributeToken('field', 'kind', ['present']),
    attributeToken('field', 'kind', ['text', 'user']),
  ]);
});

test.each([
  ['5', 5],
  ['5.0', 5],
  ['005', 5],
  [' -1.50 ', -1.5],
  ['1e3', 1000],
])('%j is also found as the number %d', (text, number) => {
  expect(point({ n: text })).toContain(attributeToken('metadata', 'n', ['number', number]));
});

test.each(['', '  ', 'five', '5 apples', 'NaN', 'Infinity'])('%j is no number', (text) => {
  expect(point({ n: text })).toHaveLength(2);
});
