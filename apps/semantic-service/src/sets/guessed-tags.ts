import { idHash, type IdRest } from './set-identity.js';

/** Ways to read an id that are tried: each costs a hash. There are more only with many underscores in its values. */
const MAX_READINGS = 2_000;
const MAX_HASHED_CHARS = 512 * 1024;

/** Keys and values that are looked at: also where none of them makes a reading. */
const MAX_STEPS = 50_000;

const MAX_GUESSED_KEYS = 8;
const MAX_GUESSED_CHARS = 4_096;

/** No key of metadata is longer: 128 characters, of which each may be two units. */
const MAX_KEY_UNITS = 256;

type Entry = readonly [key: string, value: string];

/** The tags of an id whose keys no type tells; undefined when they cannot be told. */
export function guessedTags({ keyCount, hash, pairs }: IdRest): Record<string, string> | undefined {
  if (keyCount > MAX_GUESSED_KEYS || pairs.length > MAX_GUESSED_CHARS) return undefined;
  const found = new KeySearch(pairs, hash).from(0, keyCount, []);
  return found && Object.fromEntries(found);
}

/** Reads a text as so many keys with values, each of at least one word, until the keys have the hash or the work is too much. */
class KeySearch {
  /** Where each word begins; the last one is where a word behind the text would. */
  private readonly starts: readonly number[];
  private steps = 0;
  private readings = 0;
  private hashedChars = 0;

  constructor(
    private readonly text: string,
    private readonly hash: string,
  ) {
    const words = text.split('_');
    const starts = [0];
    for (const { length } of words) starts.push((starts.at(-1) ?? 0) + length + 1);
    this.starts = starts;
  }

  /** @param first the word with which the keys begin @param before what was read before it */
  from(first: number, count: number, before: readonly Entry[]): readonly Entry[] | undefined {
    const wordsOfOthers = 2 * (count - 1);
    const last = this.starts.length - 1;
    for (let keyEnd = first + 1; keyEnd < last - wordsOfOthers && !this.isTooMuch(); keyEnd += 1) {
      const key = this.words(first, keyEnd);
      if (key.length > MAX_KEY_UNITS) return undefined;
      if (count === 1) {
        const entries = [...before, [key, this.words(keyEnd, last)] as const];
        if (this.haveHash(entries)) return entries;
      }
      for (let end = keyEnd + 1; count > 1 && end <= last - wordsOfOthers && !this.isTooMuch(); end += 1) {
        const found = this.from(end, count - 1, [...before, [key, this.words(keyEnd, end)]]);
        if (found) return found;
      }
    }
    return undefined;
  }

  private words(first: number, end: number): string {
    return this.text.slice(this.starts[first], (this.starts[end] ?? 0) - 1);
  }

  private haveHash(entries: readonly Entry[]): boolean {
    const keys = entries.map(([key]) => key);
    this.readings += 1;
    this.hashedChars += keys.reduce((sum, { length }) => sum + length, 0);
    return idHash(keys) === this.hash;
  }

  private isTooMuch(): boolean {
    this.steps += 1;
    return this.readings >= MAX_READINGS || this.hashedChars >= MAX_HASHED_CHARS || this.steps >= MAX_STEPS;
  }
}
