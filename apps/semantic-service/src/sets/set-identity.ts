import { type Tenant } from '@loci/contracts';
import { createHash } from 'node:crypto';

export const SET_KINDS = ['project_set', 'set_type', 'user_set', 'other_set'] as const;
export type SetKind = (typeof SET_KINDS)[number];

/** The metadata key that makes the set of a user. */
export const PRODUCER = 'producer_id';

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
 * share an id takes keys or values with underscores in just the right places, and makes them one set.
 */
export function setIdOf(identity: SetIdentity): string {
  const { tenant, isOrgLevel, tags } = identity;
  const keys = Object.keys(tags).sort(byCodePoints);
  const scope = isOrgLevel ? `org_${tenant.orgId}` : `org_${tenant.orgId}_project_${tenant.projectId}`;
  const pairs = keys.map((key) => `${key}_${tags[key] ?? ''}`).join('_');
  return `mem_${setKind(identity)}_${scope}_${keys.length}_${hashOf(keys, 6)}__${pairs}`;
}

/** A text that differs whenever the keys differ. */
export const keysHash = (keys: readonly string[]): string => hashOf(keys, 32);

/** Whether the text begins as the id of a set does. */
export const hasSetPrefix = (id: string): boolean => SET_KINDS.some((kind) => id.startsWith(`mem_${kind}`));

function hashOf(sortedKeys: readonly string[], bytes: number): string {
  const hash = createHash('shake256', { outputLength: bytes });
  for (const key of sortedKeys) hash.update(`${key}\0`);
  return hash.digest('hex');
}

/** UTF-8 keeps the order of code points, which UTF-16 does not. */
function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
