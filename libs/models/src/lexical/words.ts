/** What is read of a text: some 15,000 words, so that no text makes a vector of megabytes. */
const MAX_CHARACTERS = 100_000;

/** Of a part of a text: its words are counted in about a millisecond. */
export const PART_CHARACTERS = 5_000;

/** Where no word goes on. */
const BETWEEN_WORDS = /[\s。、！？]/g;

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
/** The same of a text in ASCII and lower case, found several times as fast. */
const ASCII_WORD = /[a-z\d]+(?:'[a-z\d]+)*/g;
const THOUSANDS_COMMA = /(?<=\d),(?=\d{3}(?!\d))/g;
const CONTRACTION = /(?:n['’]t|['’](?:s|ll|d|ve|re|m))$/;
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/;
/** Is compared as it is. */
const PLAIN = /^[a-z]+$/;
const LATIN_ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu;

/** No script has so many marks on one letter (UAX #15, stream-safe text); to normalize takes the square of their number. */
const EXCESSIVE_MARKS = /(?<=\p{M}{30})\p{M}+/gu;
const NON_ASCII = /[^\0-\x7f]/;

/**
 * How often each word occurs. Words are compared in NFKC and lower case, without accents on Latin letters;
 * contractions and the possessive are cut (`Anna's` is `anna`, `don't` is `do`), `1,000` is `1000`, `7th` is `7`.
 * Of a longer text only the first 100,000 characters are read.
 */
export function wordsOf(text: string): Map<string, number> {
  const bounded = text.slice(0, MAX_CHARACTERS);
  const isAscii = !NON_ASCII.test(bounded);
  const plain = isAscii ? bounded : bounded.replace(EXCESSIVE_MARKS, '').normalize('NFKC');
  const normal = plain.toLowerCase().replace(THOUSANDS_COMMA, '');
  const counts = new Map<string, number>();
  for (const raw of normal.match(isAscii ? ASCII_WORD : WORD) ?? []) {
    const word = normalize(raw);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** What is read of a text, cut between words: the words of the parts are those of the text. */
export function* partsOf(text: string): Generator<string> {
  const end = Math.min(text.length, MAX_CHARACTERS);
  for (let start = 0; start < end;) {
    BETWEEN_WORDS.lastIndex = start + PART_CHARACTERS;
    const cut = start + PART_CHARACTERS < end && BETWEEN_WORDS.exec(text) ? BETWEEN_WORDS.lastIndex : end;
    yield text.slice(start, Math.min(cut, end));
    start = cut;
  }
}

function normalize(raw: string): string {
  if (PLAIN.test(raw)) return raw;
  const bare = raw.replace(CONTRACTION, '').replace(/['’]/g, '').replace(ORDINAL, '$1');
  return NON_ASCII.test(bare) ? bare.normalize('NFD').replace(LATIN_ACCENTS, '').normalize('NFC') : bare;
}
