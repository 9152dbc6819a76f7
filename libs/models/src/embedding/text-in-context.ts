const BEGIN = ' (re: ';
const END = ')';

/** Characters of what a text answers that are embedded with it, at most. */
export const MAX_CONTEXT = 200;

/** What is embedded of a text that answers another: itself, and that in brackets. @param context what is answered, or its end */
export const inContext = (text: string, context: string | undefined): string =>
  context === undefined ? text : `${text}${BEGIN}${context}${END}`;

/** The text itself, and what follows it of {@link inContext}: nothing of a text that answers none. */
export function withoutContext(text: string): readonly [said: string, context: string] {
  const at = text.endsWith(END)
    ? text.indexOf(BEGIN, text.length - BEGIN.length - MAX_CONTEXT - END.length)
    : -1;
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
