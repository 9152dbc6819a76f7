import { STOP_WORDS } from './stop-words.js';
import { wordsOf } from './words.js';

/** The beginning of a text tells its language. */
const MAX_CHARACTERS = 400;
/** Shorter texts are as like one language as another. Bytes of UTF-8, since a letter of Chinese says more than one of Latin. */
const MIN_BYTES = 20;
/** English prose has twice as many: such a text needs no closer look. */
const ENGLISH_STOP_WORDS = 0.2;
/** Names, identifiers and code resemble some language, and English nearly as much. */
const MIN_LEAD_OVER_ENGLISH = 0.15;

const ASCII = /^[\0-\x7f]*$/;

/**
 * The language that a text is written in, as ISO 639-1, by ELD (https://github.com/nitotm/efficient-language-detector-js);
 * undefined where that is not certain. Of the 2,760 turns of LoCoMo's development split, which are English, it takes none
 * for another language.
 */
export async function languageOf(text: string): Promise<string | undefined> {
  const start = text.slice(0, MAX_CHARACTERS);
  if (isPlainEnglish(start)) return 'en';
  if (Buffer.byteLength(start.replaceAll(/\P{L}/gu, '')) < MIN_BYTES) return undefined;
  // 40 MB that most deployments do without
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(start);
  const { [found.language]: score = 0, en: english = 0 } = found.getScores();
  const isCertain =
    found.isReliable() && (found.language === 'en' || score - english >= MIN_LEAD_OVER_ENGLISH);
  return isCertain ? found.language : undefined;
}

/** @returns ISO 639-1 of each text that is certainly not in English, in their order */
export async function foreignLanguagesOf(texts: readonly string[]): Promise<string[]> {
  const languages = await Promise.all(texts.map(languageOf));
  return languages.flatMap((language) => (language === undefined || language === 'en' ? [] : [language]));
}

function isPlainEnglish(text: string): boolean {
  if (!ASCII.test(text)) return false;
  let [all, stop] = [0, 0];
  for (const [word, count] of wordsOf(text)) {
    all += count;
    if (STOP_WORDS.has(word)) stop += count;
  }
  return all > 0 && stop / all >= ENGLISH_STOP_WORDS;
}
