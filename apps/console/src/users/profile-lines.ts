import { type Wire } from '../api/loci.js';

/** A line of a profile, as people read it. */
export interface ProfileLine {
  /** The feature that it is. */
  readonly id: string | undefined;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  /** From when to when it holds; empty where nothing says. */
  readonly holds: string;
  /** Whether it comes from producers whom the project does not trust. */
  readonly isUntrusted: boolean;
}

const QUOTED = String.raw`("(?:[^"\\]|\\.)*")`;

/** A line as prompts have it: `[1] (untrusted) "food", "drink": "green tea" (from 2024-03)`. */
const LINE = new RegExp(String.raw`^(\[\d+\]) (\(untrusted\) )?${QUOTED}, ${QUOTED}: ${QUOTED}(.*)$`, 's');

/**
 * The lines of a category without its heading, which the page has in its own way.
 * @returns the text itself for a line that is of another kind
 */
export const linesOf = (
  { text }: Pick<Wire['ProfileCategory'], 'text'>,
  citations: readonly Wire['ContextCitation'][],
): (ProfileLine | string)[] =>
  text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const [, marker, mark, tag, name, value, holds = ''] = LINE.exec(line) ?? [];
      if (tag === undefined || name === undefined || value === undefined) return line;
      return {
        id: citations.find((citation) => citation.marker === marker)?.id,
        tag: unquoted(tag),
        name: unquoted(name),
        value: unquoted(value),
        holds: holds.trim(),
        isUntrusted: mark !== undefined,
      };
    });

const unquoted = (text: string): string => String(JSON.parse(text));
