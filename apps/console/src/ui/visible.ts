/** Marks that turn around what follows them, so that one name reads as another. No language needs them. */
const OVERRIDES: Readonly<Record<string, string>> = { '\u202d': '‹LRO›', '\u202e': '‹RLO›' };

const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/u;

/** Whether nothing of a text is seen. */
export const isInvisible = (text: string): boolean => INVISIBLE.test(text);

/** A text of strangers as it is shown: marks that turn letters around can be read, and a text of which nothing is seen says so. */
export function visible(text: string): string {
  if (isInvisible(text)) return '‹nothing visible›';
  return text.replace(/[\u202d\u202e]/g, (mark) => OVERRIDES[mark] ?? '');
}
