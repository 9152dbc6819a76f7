import { MAX_SET_TAGS_CHARS, MAX_SETS_OF_MESSAGE, type Tenant } from '@loci/contracts';
import { PRODUCER, type SetIdentity, USER } from './set-identity.js';
import { type MemorySet, setOfType, type SetType, toSet } from './set.js';

type TypeOfSets = Pick<SetType, 'tags' | 'projectUid'>;

/** The sets of some metadata. */
export interface Identities {
  /** Each once, the project's own first. */
  readonly identities: readonly SetIdentity[];
  /** False when there are more than a message may belong to. */
  readonly areAll: boolean;
}

/**
 * The sets that messages with such metadata go to (api-contract §5.5): those of the project, the organization and the
 * producer, and of set types as many as a message may belong to, in the sequence of the types. Each of them costs rows, and
 * types are as many as a quota allows.
 */
export function identities(
  tenant: Tenant,
  types: readonly TypeOfSets[],
  metadata: Readonly<Record<string, string>>,
): Identities {
  const project: SetIdentity = { tenant, isOrgLevel: false, tags: {} };
  const org: SetIdentity = { tenant, isOrgLevel: true, tags: {} };
  const user = setOfType({ projectUid: undefined, tags: [PRODUCER] }, tenant, metadata);
  const byKey = new Map([project, org, ...(user ? [user] : [])].map((one) => [JSON.stringify(one), one]));
  let charsLeft = MAX_SET_TAGS_CHARS;
  let areAll = true;
  for (const type of types) {
    const identity = setOfType(type, tenant, metadata);
    if (!identity) continue;
    const chars = Object.entries(identity.tags).reduce((sum, entry) => sum + entry.join('').length, 0);
    const key = chars > charsLeft ? undefined : JSON.stringify(identity);
    if (key !== undefined && byKey.has(key)) continue;
    if (key === undefined || byKey.size === MAX_SETS_OF_MESSAGE) {
      areAll = false;
      continue;
    }
    charsLeft -= chars;
    byKey.set(key, identity);
  }
  return { identities: [...byKey.values()], areAll };
}

/** As `identities`, the sets themselves, for readers: with the one that a client may have made for the user alone, whether or not the project has that type of sets. */
export function setsOfMetadata(
  { tenant, uid }: { readonly tenant: Tenant; readonly uid: string },
  types: readonly TypeOfSets[],
  metadata: Readonly<Record<string, string>>,
): MemorySet[] {
  const user = setOfType({ tags: [USER], projectUid: uid }, tenant, metadata);
  const all = [...identities(tenant, types, metadata).identities, ...(user ? [user] : [])];
  return [...new Map(all.map((identity) => toSet(identity, uid)).map((set) => [set.uid, set])).values()];
}
