import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words.js';
import { wordsOf } from './words.js';

/** How often each term occurs, stop words apart from the others. */
export interface Terms {
  readonly content: ReadonlyMap<string, number>;
  readonly stop: ReadonlyMap<string, number>;
}

/** Scripts that don't put a space between words, or glue particles to them (Hangul). */
const UNSPACED = [
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}',
  '\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}',
].join('');
const RUNS = new RegExp(`(?<unspaced>[${UNSPACED}]+)|[^${UNSPACED}]+`, 'gu');
const LETTER_WITH_MARKS = /.\p{M}*/gsu;
const LATIN_WORD = /^[a-z]{3,32}$/;
const ASCII_WORD = /^[\0-\x7f]+$/;

/** Terms to index: for unspaced scripts every letter and every pair of neighbours. */
export const documentTerms = (text: string): Terms =>
  collect(text, (letters) => [...letters, ...pairsOf(letters)]);

/** Terms to look up: for unspaced scripts the pairs, or a letter that stands alone. */
export const queryTerms = (text: string): Terms =>
  collect(text, (letters) => (letters.length === 1 ? letters : pairsOf(letters)));

/**
 * Words become Porter stems if Latin, pairs of letters if unspaced (what Lucene's CJKBigramFilter does). Not
 * Intl.Segmenter: its dictionary differs between Node versions and its cuts depend on the neighbours, so that
 * a word of the query may be cut otherwise than in the document, and parts of compounds are not found.
 */
function collect(text: string, cut: (letters: string[]) => string[]): Terms {
  const content = new Map<string, number>();
  const stop = new Map<string, number>();
  for (const [word, count] of wordsOf(text)) {
    if (STOP_WORDS.has(word)) {
      stop.set(word, count);
      continue;
    }
    for (const term of ASCII_WORD.test(word) ? [stem(word)] : termsOfMixed(word, cut)) {
      content.set(term, (content.get(term) ?? 0) + count);
    }
  }
  return { content, stop };
}

function termsOfMixed(word: string, cut: (letters: string[]) => string[]): string[] {
  return [...word.matchAll(RUNS)].flatMap(({ 0: run, groups }) =>
    groups?.['unspaced'] === undefined ? [stem(run)] : cut(run.match(LETTER_WITH_MARKS) ?? []),
  );
}

const stem = (word: string): string => (LATIN_WORD.test(word) ? stemmer(word) : word);

const pairsOf = (letters: readonly string[]): string[] =>
  letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
