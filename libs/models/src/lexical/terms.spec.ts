import { describe, expect, jest, test } from '@jest/globals';
import { documentTerms, queryTerms } from './terms.js';

const contentOf = (text: string): string[] => [...documentTerms(text).content.keys()];

describe('words that mean the same become the same term', () => {
  test.each([
    ['inflections', 'painting paints painted', 'paint'],
    ['case', 'Loci LOCI loci', 'loci'],
    ['accents on Latin letters', 'café cafe cafe\u0301', 'cafe'],
    ['compatibility forms', '２０２３ 2023', '2023'],
    ['a possessive', "Anna's Anna’s Anna", 'anna'],
    ['apostrophes inside names', "O'Brien OBrien", 'obrien'],
    ['ordinals', '7th 7', '7'],
    ['commas between thousands', '1,000,000 1000000', '1000000'],
  ])('%s', (_, text, term) => {
    expect(contentOf(text)).toEqual([term]);
  });
});

test('of any number of marks on one letter few are normalized: for all of them it takes seconds', () => {
  const normalized = jest.spyOn(String.prototype, 'normalize');
  expect(contentOf(`cafe${'\u0301\u0316'.repeat(50_000)}`)).toEqual(['cafe']);
  const lengths = normalized.mock.contexts.map((text) => String(text).length);
  normalized.mockRestore();
  expect(lengths).not.toEqual([]);
  expect(Math.max(...lengths)).toBeLessThan(50);
});

describe('words that differ stay apart', () => {
  test.each([
    ['numbers', '5 55 5.5', ['5', '55']],
    ['a comma that lists', '1, 2,3', ['1', '2', '3']],
    ['accents outside Latin', 'май маи', ['май', 'маи']],
    ['letters with digits', 'iPhone13 iPhone', ['iphone13', 'iphon']],
    ['parts of an address', 'foo@bar.example', ['foo', 'bar', 'exampl']],
  ])('%s', (_, text, terms) => {
    expect(contentOf(text)).toEqual(terms);
  });
});

test('counts occurrences', () => {
  expect(documentTerms('apple pears apples').content).toEqual(
    new Map([
      ['appl', 2],
      ['pear', 1],
    ]),
  );
});

test('keeps English stop words and contractions apart', () => {
  const { content, stop } = documentTerms("I don't think that she'll be at the market");
  expect([...content.keys()]).toEqual(['think', 'market']);
  expect([...stop.keys()]).toEqual(['i', 'do', 'that', 'she', 'be', 'at', 'the']);
});

describe('scripts without spaces', () => {
  test('a document has every letter and every pair of neighbours', () => {
    expect(contentOf('北京大')).toEqual(['北', '京', '大', '北京', '京大']);
  });

  test('a query has the pairs, or the letter when it stands alone', () => {
    expect([...queryTerms('北京大 猫').content.keys()]).toEqual(['北京', '京大', '猫']);
  });

  test('marks stay with their letter', () => {
    expect([...queryTerms('ที่นี่').content.keys()]).toEqual(['ที่นี่']);
  });

  test('are cut where they touch Latin letters or digits', () => {
    expect([...queryTerms('東京tower2023年').content.keys()]).toEqual(['東京', 'tower2023', '年']);
  });

  test.each([
    ['私は昨日ラーメンを食べました', 'ラーメン'],
    ['我昨天在北京大学上课', '北京'],
    ['저는 어제 서울에서 친구를 만났어요', '서울'],
    ['เมื่อวานฉันกินข้าวผัด', 'ข้าวผัด'],
  ])('every term of a word inside %s is found', (text, word) => {
    const found = documentTerms(text).content;
    const asked = [...queryTerms(word).content.keys()];
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((term) => !found.has(term))).toEqual([]);
  });
});
