import { encodeDocument } from '../src/lexical/bm25-encoder.js';
import { type EncodedText } from '../src/lexical/lexical-ranking.js';
import { TermRarity } from '../src/lexical/term-rarity.js';

export const encodeTexts = (
  texts: readonly { readonly id: string; readonly text: string }[],
): EncodedText[] => texts.map(({ id, text }) => ({ id, words: encodeDocument(text) }));

/** Where nothing was counted. */
export const UNKNOWN_RARITY = new TermRarity({ texts: 0, textsWith: () => 0 });
