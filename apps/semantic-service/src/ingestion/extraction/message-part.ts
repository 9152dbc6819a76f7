import { countTokens } from '@loci/platform';

/** A part of a message, for one call. */
export interface MessagePart {
  readonly text: string;
  /** What it may have at most. */
  readonly maxTokens: number;
  /** Where it begins and ends in the whole text. */
  readonly from: number;
  readonly to: number;
  /** Where the next part begins: a little before the end, so that no fact is cut in two. Undefined after the last part. */
  readonly next: number | undefined;
}

/** What two parts share. */
const OVERLAP_TOKENS = 200;

/** The part that begins at a position and has so many tokens at most. It ends between words where there are any. */
export function partOf(text: string, from: number, maxTokens: number): MessagePart {
  const rest = text.slice(from);
  const fitting = atMost(rest, maxTokens);
  if (fitting.length === rest.length)
    return { text: rest, maxTokens, from, to: text.length, next: undefined };
  const part = fitting.slice(0, endOfWord(fitting));
  const to = from + part.length;
  const shared = Math.floor((part.length * Math.min(OVERLAP_TOKENS, maxTokens / 4)) / maxTokens);
  const next = startOfWord(text, Math.max(to - shared, from + 1), to);
  return { text: part, maxTokens, from, to, next };
}

/** The beginning of the text that fits, nearly as long as it may be, by bisection: tokens may be dense at first, and then none. */
function atMost(text: string, maxTokens: number): string {
  if (countTokens(text) <= maxTokens) return text;
  let [fitting, tooLong] = [0, text.length];
  while (tooLong - fitting > 1 + fitting / 50) {
    const middle = Math.ceil((fitting + tooLong) / 2);
    if (countTokens(text.slice(0, middle)) <= maxTokens) fitting = middle;
    else tooLong = middle;
  }
  const length = Math.max(2, fitting);
  return text.slice(0, isInsidePair(text, length) ? length - 1 : length);
}

/** The last boundary between words, unless that is far from the end. */
function endOfWord(text: string): number {
  const at = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return at > text.length / 2 ? at : text.length;
}

/** The first boundary between words from a position on, if there is one before the end. */
function startOfWord(text: string, from: number, end: number): number {
  const at = text.slice(from, end).search(/\s/);
  if (at >= 0) return from + at + 1;
  return isInsidePair(text, from) ? from + 1 : from;
}

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff && at < text.length;
}
