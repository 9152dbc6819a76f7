const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/u;

/** Whether nothing of a text is seen. */
export const isInvisible = (text: string): boolean => INVISIBLE.test(text);

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Marks that turn around what follows them, so that one name reads as another. No language needs them. */
const OVERRIDES: Readonly<Record<string, string>> = { '\u202d': '‹LRO›', '\u202e': '‹RLO›' };

const DIRECTIONS = /^[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]$/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** What shapes letters, and the end of a text whose script does without. */
const JOINERS = /^[\u180b-\u180f\u200c\u200d]$/u;
const UNSHAPED =
  /(?:[^\p{L}\p{M}]|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])$|^$/u;

/** What belongs to a picture or to a Chinese character in front of it. */
const OF_SIGN = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u200d]$/u;
const SIGN = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Han}\ufe0f]$/u;
const KEY = /[0-9#*]$/;

/** Whether a text that reads as it should has this there. */
function isNeeded(mark: string, at: number, text: string): boolean {
  // no sign is longer than two units
  const before = text.slice(Math.max(0, at - 2), at);
  if (DIRECTIONS.test(mark)) return RIGHT_TO_LEFT.test(text);
  if (OF_SIGN.test(mark) && SIGN.test(before)) return true;
  if (mark === '\ufe0f' && KEY.test(before) && text.startsWith('\u20e3', at + 1)) return true;
  return JOINERS.test(mark) && !UNSHAPED.test(before);
}

const codeOf = (mark: string): string =>
  `‹U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/** A text of strangers as it is shown: what cannot be seen in it can be read, and a text of which nothing is seen says so. */
export function visible(text: string): string {
  if (isInvisible(text)) return '‹nothing visible›';
  return text.replace(
    UNSEEN,
    (mark, at: number) => OVERRIDES[mark] ?? (isNeeded(mark, at, text) ? mark : codeOf(mark)),
  );
}
