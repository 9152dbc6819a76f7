import { type Tenant } from '@loci/contracts';
import { guessedTags } from './guessed-tags.js';
import { idHash, type IdRest, restOfId, type SetIdentity, setIdOf } from './set-identity.js';

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
 * @param knownKeys of set types whose keys may be those of the id, sorted: with them an id is told whatever its values are
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

/** What an id says of its keys if `setIdOf` may have made it for this tenant: types are looked up by it. */
export const keysHashIn = (id: string, tenant: Tenant): string | undefined =>
  (restOfId(id, { tenant, isOrgLevel: false }) ?? restOfId(id, { tenant, isOrgLevel: true }))?.hash;

function tagsIn(rest: IdRest, knownKeys: readonly (readonly string[])[]): Record<string, string> | undefined {
  const { keyCount, hash, pairs } = rest;
  const known = knownKeys.find((keys) => keys.length === keyCount && idHash(keys) === hash);
  if (known) return valuesBetween(known, pairs);
  if (keyCount === 0) return pairs === '' && hash === idHash([]) ? {} : undefined;
  return guessedTags(rest);
}

type Entry = readonly [key: string, value: string];

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
