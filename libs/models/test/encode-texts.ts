import { encodeDocument } from '../src/lexical/bm25-encoder.js';
import { type EncodedText } from '../src/lexical/lexical-ranking.js';

export const encodeTexts = (
  texts: readonly { readonly id: string; readonly text: string }[],
): EncodedText[] => texts.map(({ id, text }) => ({ id, words: encodeDocument(text) }));
