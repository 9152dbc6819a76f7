/**
 * Parts of as equal a length as possible, none longer than asked for (2 at least); no surrogate pair is torn. A text without a
 * letter or sign becomes a hyphen, because providers refuse to embed nothing.
 */
export function splitEvenly(text: string, maxLength: number): string[] {
  if (text.trim() === '') return ['-'];
  if (text.length <= maxLength) return [text];
  const parts: string[] = [];
  let rest = text;
  for (let left = Math.ceil(text.length / maxLength); rest.length > 0; left -= 1) {
    const wanted = Math.min(Math.ceil(rest.length / Math.max(left, 1)), maxLength);
    const cut = isInsidePair(rest, wanted) ? wanted - 1 || 2 : wanted;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return parts.filter((part) => part.trim() !== '');
}

/** Its two halves, of which one without a letter or sign is left out; at least four characters are given. */
export const inHalves = (text: string): string[] => splitEvenly(text, Math.ceil(text.length / 2) + 1);

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff && at < text.length;
}
