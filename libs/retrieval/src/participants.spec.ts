import { describe, expect, test } from '@jest/globals';
import { nameWords, participantNamed, withoutNames } from './participants.js';

describe('the participant whom a query names', () => {
  test.each([
    ['is found whatever the case', "What is ANN's dog called?", ['ann', 'bob'], 'ann'],
    ['needs the whole name', 'Where does Lee live?', ['Lee Chan'], undefined],
    ['is undefined when two are named', 'Did ann meet bob?', ['ann', 'bob'], undefined],
    ['is not found inside a word', 'the annual report', ['ann'], undefined],
    ['is undefined without a name', 'anything', [''], undefined],
  ])('%s', (_, query, speakers, named) => {
    expect(participantNamed(nameWords(query), speakers)).toBe(named);
  });
});

describe('a query without the names of participants', () => {
  test.each([
    ['whatever the case', "What is ANN's dog called?", ['ann'], "What is someone's dog called?"],
    ['names of several words', 'Where does Lee Chan live?', ['Lee Chan', 'Lee'], 'Where does someone live?'],
    ['not inside a word', 'the annual report', ['ann'], 'the annual report'],
    ['characters that mean something in a pattern', 'Who is agent (1)?', ['agent (1)'], 'Who is someone)?'],
    ['other scripts', 'Где живёт Анна?', ['Анна'], 'Где живёт someone?'],
    ['no participants', 'Where is Ann?', ['', '!'], 'Where is Ann?'],
    [
      'several, at both ends',
      'Ann, is Bob Lee with ANN',
      ['bob lee', 'ann'],
      'someone, is someone with someone',
    ],
    [
      'the words of a name in its sequence alone',
      'Chan Lee and Lee, Chan',
      ['Lee Chan'],
      'Chan Lee and someone',
    ],
    ['letters that are longer in lower case', 'İİ knows Ann, İ', ['ann'], 'İİ knows someone, İ'],
  ])('%s', (_, query, speakers, masked) => {
    expect(withoutNames(query, speakers)).toBe(masked);
  });

  // far beyond the limit of a test, where the time is more than linear
  test.each([
    ['a name of digits', `${'1'.repeat(32_000)}a`, [Array.from({ length: 14 }, () => '1').join(' ')]],
    [
      'names of many words',
      'a '.repeat(16_000),
      Array.from({ length: 200 }, (_, n) => `${'a '.repeat(490)}b${n}`),
    ],
    [
      'names that almost match',
      'a '.repeat(16_000),
      Array.from({ length: 200 }, (_, n) => `${'a '.repeat(n % 8)}b${n}`),
    ],
    ['a long name of one word', 'a'.repeat(32_000), ['a'.repeat(1_000)]],
  ])('takes linear time: %s', (_, query, speakers) => {
    expect(withoutNames(query, speakers)).toBe(query);
  });
});
