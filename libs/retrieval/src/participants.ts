/**
 * The speaker whose whole name is among the words of the query; undefined unless there is exactly one.
 * @param asked by `nameWords`, once for any number of conversations
 */
export function participantNamed(
  asked: ReadonlySet<string>,
  speakers: readonly string[],
): string | undefined {
  const named = [...new Set(speakers)].filter((speaker) => {
    const name = wordsOf(speaker);
    return name.length > 0 && name.every((word) => asked.has(word));
  });
  return named.length === 1 ? named[0] : undefined;
}

/** The words of a text, of which names may consist. */
export const nameWords = (text: string): ReadonlySet<string> => new Set(wordsOf(text));

/**
 * The query with "someone" instead of every name of a participant. A name pulls a sentence embedding towards every text
 * that has it, and who speaks is scored by a cue of its own. On LoCoMo, split dev, this gains 4 points of recall@10.
 */
export function withoutNames(query: string, speakers: readonly string[]): string {
  const names = speakers.map(wordsOf).filter(({ length }) => length > 0 && length <= MAX_NAME_WORDS);
  const known = new Set(names.map(joined));
  const lengths = [...new Set(names.map(({ length }) => length))].sort((a, b) => b - a);
  const words = [...query.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }));
  const asked = words.map(({ word }) => word.toLowerCase());
  const parts: string[] = [];
  let rest = 0;
  for (let at = 0; at < words.length;) {
    const start = at;
    const length = lengths.find(
      (count) => start + count <= asked.length && known.has(joined(asked.slice(start, start + count))),
    );
    const [first, last] = [words[at], words[at + (length ?? 1) - 1]];
    at += length ?? 1;
    if (length === undefined || !first || !last) continue;
    parts.push(query.slice(rest, first.index), 'someone');
    rest = last.index + last.word.length;
  }
  return [...parts, query.slice(rest)].join('');
}

/** A longer one is no name, and would be looked for at every word of a query. */
const MAX_NAME_WORDS = 8;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

const joined = (words: readonly string[]): string => words.join(' ');
