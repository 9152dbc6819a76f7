import { expect, test } from '@jest/globals';
import { foreignLanguagesOf, languageOf } from './language-of.js';

test.each([
  ['de', 'Ich wohne seit März in Berlin'],
  ['de', 'Gestern war die Katze krank'],
  ['es', 'Me gusta mucho el café con leche'],
  ['fr', 'Je prends le train pour Lyon demain matin'],
  ['pt', 'Moro em Lisboa com a minha irmã'],
  ['ru', 'Я живу в Москве с родителями'],
  ['ar', 'أسكن في القاهرة مع أخي'],
  ['hi', 'मैं दिल्ली में रहता हूँ'],
  ['zh', '我住在北京已经三年了'],
  ['ja', '私は東京に住んでいます'],
  ['ko', '나는 서울에 살고 있습니다'],
  ['en', 'I have lived in Zürich since the spring of last year'],
  ['en', 'The quick brown fox jumps over the lazy dog'],
])('%s is told by %s', async (language, text) => {
  expect(await languageOf(text)).toBe(language);
});

test.each([
  '',
  'ok',
  'See ya Nate!',
  'Bye Joanna!',
  '12345 67890 12345 67890',
  '{"id":"a81bc81b-dead-4e5d-abff-90865d1e13b1","n":12}',
  'alpha beta gamma delta epsilon zeta',
  'deploy kubectl pod nginx restart crashloop backoff',
  'zebra zebra zebra okapi okapi okapi',
  '\u{1F600}'.repeat(30),
])('what %s is written in is not certain', async (text) => {
  expect(await languageOf(text)).toBeUndefined();
});

test('of a long text the beginning tells', async () => {
  expect(await languageOf('Ich wohne in Berlin, weil es mir dort gefällt. '.repeat(100_000))).toBe('de');
});

test('of several texts those are told that are certainly not in English, in their order', async () => {
  const texts = [
    'Ich wohne seit März in Berlin',
    'ok',
    'I have lived in Zürich since the spring',
    '我住在北京已经三年了',
  ];
  expect(await foreignLanguagesOf(texts)).toEqual(['de', 'zh']);
});
