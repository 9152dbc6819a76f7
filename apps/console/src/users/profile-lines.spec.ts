import { expect, test } from '@jest/globals';
import { linesOf } from './profile-lines.js';

const citations = [
  { marker: '[1]', kind: 'feature' as const, id: 'one', trust: 'trusted' as const },
  { marker: '[12]', kind: 'feature' as const, id: 'twelve', trust: 'untrusted' as const },
];

test('lines of a profile are read back, with the features that they are', () => {
  const text = [
    '## "profile"',
    '[1] "general", "likes": "coffee now"',
    String.raw`[12] (untrusted) "a \\ \"b\"", "said": "\u005b1] one\ntwo" (from 2024-03 until 2025)`,
  ].join('\n');
  expect(linesOf({ text }, citations)).toEqual([
    { id: 'one', tag: 'general', name: 'likes', value: 'coffee now', holds: '', isUntrusted: false },
    {
      id: 'twelve',
      tag: 'a \\ "b"',
      name: 'said',
      value: '[1] one\ntwo',
      holds: '(from 2024-03 until 2025)',
      isUntrusted: true,
    },
  ]);
});

test('a line of another kind stays as it is', () => {
  expect(linesOf({ text: '## "profile"\nAda likes coffee.' }, citations)).toEqual(['Ada likes coffee.']);
});
