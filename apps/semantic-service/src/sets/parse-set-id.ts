import { type Tenant } from '@loci/contracts';
import { idHash, type IdRest, restOfId, type SetIdentity, setIdOf } from './set-identity.js';

/** Ways to read an id that are tried: each costs a hash. There are more only with many underscores in its values. */
const MAX_READINGS = 2_000;
const MAX_GUESSED_KEYS = 8;
const MAX_GUESSED_CHARS = 4_096;

/** What an id stands for that no set is registered under. */
export type ReadSetId =
  | { readonly kind: 'identity'; readonly identity: SetIdentity }
  /** Of the shape of ids of this level, but its keys cannot be told: no set has it. */
  | { readonly kind: 'unknown' }
  /** Not of the shape that this service gives to ids of this tenant: a client made it up. */
  | { readonly kind: 'made_up' };

/**
 * Reads an id that `setIdOf` may have made for this tenant. An id contains the keys of its set as a hash and in a text in
 * which values stand between them: the keys are those that have the hash.
 * @param knownKeys of set types, sorted: with them an id is told whatever its values are
 */
export function readSetId(id: string, tenant: Tenant, knownKeys: readonly (readonly string[])[]): ReadSetId {
  for (const isOrgLevel of [false, true]) {
    const level = { tenant, isOrgLevel };
    const rest = restOfId(id, level);
    if (!rest) continue;
    const tags = tagsIn(rest, knownKeys);
    const identity = tags && { ...level, tags };
    return identity && setIdOf(identity) === id ? { kind: 'identity', identity } : { kind: 'unknown' };
  }
  return { kind: 'made_up' };
}

function tagsIn(rest: IdRest, knownKeys: readonly (readonly string[])[]): Record<string, string> | undefined {
  const { keyCount, hash, pairs } = rest;
  const known = knownKeys.find((keys) => keys.length === keyCount && idHash(keys) === hash);
  if (known) return valuesBetween(known, pairs);
  if (keyCount === 0) return pairs === '' && hash === idHash([]) ? {} : undefined;
  if (keyCount > MAX_GUESSED_KEYS || pairs.length > MAX_GUESSED_CHARS) return undefined;
  let readings = 0;
  for (const entries of readingsOf(pairs.split('_'), keyCount)) {
    if (idHash(entries.map(([key]) => key)) === hash) return Object.fromEntries(entries);
    readings += 1;
    if (readings === MAX_READINGS) return undefined;
  }
  return undefined;
}

type Entry = readonly [key: string, value: string];

/** Every way to read words as so many keys with values; each of them has a word at least. */
function* readingsOf(words: readonly string[], count: number): Generator<readonly Entry[]> {
  const wordsOfOthers = 2 * (count - 1);
  for (let keyEnd = 1; keyEnd < words.length - wordsOfOthers; keyEnd += 1) {
    const key = words.slice(0, keyEnd).join('_');
    if (count === 1) yield [[key, words.slice(keyEnd).join('_')]];
    for (let end = keyEnd + 1; count > 1 && end <= words.length - wordsOfOthers; end += 1) {
      const value = words.slice(keyEnd, end).join('_');
      for (const others of readingsOf(words.slice(end), count - 1)) yield [[key, value], ...others];
    }
  }
}

/** The values that stand behind these keys, each as short as it can be. */
function valuesBetween(keys: readonly string[], text: string): Record<string, string> | undefined {
  const entries: Entry[] = [];
  let rest = `_${text}`;
  for (const [index, key] of keys.entries()) {
    if (!rest.startsWith(`_${key}_`)) return undefined;
    rest = rest.slice(key.length + 2);
    const next = keys[index + 1];
    const end = next === undefined ? rest.length : rest.indexOf(`_${next}_`);
    if (end < 0) return undefined;
    entries.push([key, rest.slice(0, end)]);
    rest = rest.slice(end);
  }
  return Object.fromEntries(entries);
}
