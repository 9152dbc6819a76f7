import { expect, test } from '@jest/globals';
import { visible } from './visible.js';

test.each([
  ['a space of no width', 'mi\u200bra', 'mi‹U+200B›ra'],
  ['a joiner between letters that do not join', 'mi\u200dra', 'mi‹U+200D›ra'],
  ['a joiner in front', '\u200dmira', '‹U+200D›mira'],
  ['a soft hyphen', 'mi\u00adra', 'mi‹U+00AD›ra'],
  ['the mark of a byte order', '\ufeffmira', '‹U+FEFF›mira'],
  ['a filler', 'mira\u3164', 'mira‹U+3164›'],
  ['letters of tags', '🎉\u{e0061}', '🎉‹U+E0061›'],
  ['a selector behind a letter', 'mira\ufe0f', 'mira‹U+FE0F›'],
  ['a direction where all goes one way', 'mira\u200e', 'mira‹U+200E›'],
  ['what turns letters around', 'mi\u202eamir', 'mi‹RLO›amir'],
])('%s within a name can be read', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each([
  ['a family', '👩🏽‍👩‍👧'],
  ['a coloured heart', '❤️‍🔥'],
  ['a key', '1️⃣'],
  ['Persian', 'می\u200cخواهم'],
  ['Hindi', 'क्\u200dष'],
  ['a variant of a Chinese character', '葛\u{e0100}'],
  ['Hebrew among Latin letters', 'Loci \u2067שלום\u2069'],
])('%s stays as it is written', (_, text) => {
  expect(visible(text)).toBe(text);
});

test('a text of which nothing is seen says so', () => {
  expect(visible('\u200b \u2060')).toBe('‹nothing visible›');
});
