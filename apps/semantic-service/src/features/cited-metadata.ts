import { MAX_CITED_METADATA_CHARS } from '@loci/contracts';
import { USER } from '../sets/set-identity.js';

type Metadata = Readonly<Record<string, string>>;

/** How long keys and values are together. */
export const charsOf = (entries: readonly (readonly [string, string])[]): number =>
  entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);

/**
 * What a citation keeps of the metadata of its message: whose message it is, and of the rest as much as there is room for, the
 * shortest first. A feature may cite thousands of messages, and its history repeats them.
 */
export function citedMetadata(metadata: Metadata): Metadata {
  const entries = Object.entries(metadata);
  if (charsOf(entries) <= MAX_CITED_METADATA_CHARS) return metadata;
  const isUser = ([key]: readonly [string, string]): boolean => key === USER;
  const kept = new Set<string>(entries.filter(isUser).map(([key]) => key));
  let chars = charsOf(entries.filter(isUser));
  for (const entry of entries.toSorted((a, b) => charsOf([a]) - charsOf([b]))) {
    chars += isUser(entry) ? 0 : charsOf([entry]);
    if (chars > MAX_CITED_METADATA_CHARS) break;
    kept.add(entry[0]);
  }
  return Object.fromEntries(entries.filter(([key]) => kept.has(key)));
}
