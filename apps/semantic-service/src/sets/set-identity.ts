import { type Tenant } from '@loci/contracts';
import { createHash } from 'node:crypto';

export const SET_KINDS = ['project_set', 'set_type', 'user_set', 'other_set'] as const;
export type SetKind = (typeof SET_KINDS)[number];

/** The metadata key that makes the set of a user. */
export const PRODUCER = 'producer_id';

/** The metadata key by which a message names the user whose it is. */
export const USER = 'user_id';

/** What makes a set the one it is. */
export interface SetIdentity {
  readonly tenant: Tenant;
  readonly isOrgLevel: boolean;
  /** Values by tag; a set without tags is the default one of its level. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The keys of a set or set type: trimmed, without blank ones, sorted by code points, each once. */
export const tagKeys = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))].sort(byCodePoints);

export function setKind({ isOrgLevel, tags }: Pick<SetIdentity, 'isOrgLevel' | 'tags'>): SetKind {
  const keys = Object.keys(tags);
  if (keys.length === 0) return isOrgLevel ? 'set_type' : 'project_set';
  return keys.length === 1 && keys[0] === PRODUCER ? 'user_set' : 'other_set';
}

/**
 * The public id of a set (api-contract §5.5). The same identity always has the same id; that two identities of one tenant
 * share an id takes keys or values with underscores at matching positions, and makes them one set.
 */
export function setIdOf(identity: SetIdentity): string {
  const { tags } = identity;
  const keys = Object.keys(tags).sort(byCodePoints);
  const pairs = keys.map((key) => `${key}_${tags[key] ?? ''}`).join('_');
  return `${beginning(setKind(identity), identity)}${keys.length}_${idHash(keys)}__${pairs}`;
}

/** The part of an id of a level that follows its beginning. */
export interface IdRest {
  readonly keyCount: number;
  /** See `idHash`. */
  readonly hash: string;
  /** Keys and values, joined by underscores. */
  readonly pairs: string;
}

/** An id of the level, taken apart; undefined when `setIdOf` makes no such id there. */
export function restOfId(id: string, level: Omit<SetIdentity, 'tags'>): IdRest | undefined {
  const kind = kindOfId(id);
  const start = kind && beginning(kind, level);
  if (start === undefined || !id.startsWith(start)) return undefined;
  const [, count, hash, pairs] = /^(\d{1,3})_([0-9a-f]{12})__(.*)$/s.exec(id.slice(start.length)) ?? [];
  if (count === undefined || hash === undefined || pairs === undefined) return undefined;
  return { keyCount: Number(count), hash, pairs };
}

/** What an id says of its keys. @param sortedKeys by code points */
export const idHash = (sortedKeys: readonly string[]): string => hashOf(sortedKeys, 6);

/** A text that differs whenever the keys differ; it begins with their `idHash`. */
export const keysHash = (keys: readonly string[]): string => hashOf(keys, 32);

/** The kind of set whose ids begin like this one; undefined for what is no id of a set. */
export const kindOfId = (id: string): SetKind | undefined =>
  SET_KINDS.find((kind) => id.startsWith(`mem_${kind}`));

/** What all ids of a level begin with. */
const beginning = (kind: SetKind, { tenant, isOrgLevel }: Omit<SetIdentity, 'tags'>): string => {
  const scope = isOrgLevel ? `org_${tenant.orgId}` : `org_${tenant.orgId}_project_${tenant.projectId}`;
  return `mem_${kind}_${scope}_`;
};

function hashOf(sortedKeys: readonly string[], bytes: number): string {
  const hash = createHash('shake256', { outputLength: bytes });
  hash.update(sortedKeys.map((key) => `${key}\0`).join(''));
  return hash.digest('hex');
}

/** UTF-8 sorts by code points, which UTF-16 does not. */
function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
