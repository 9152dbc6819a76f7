import { type Tenant } from '@loci/contracts';
import { PRODUCER, type SetIdentity, USER } from './set-identity.js';
import { type MemorySet, setOfType, type SetType, toSet } from './set.js';

type TypeOfSets = Pick<SetType, 'tags' | 'projectUid'>;

/** The sets that messages with such metadata go to: each once, the project's own first (api-contract §5.5). */
export function identities(
  tenant: Tenant,
  types: readonly TypeOfSets[],
  metadata: Readonly<Record<string, string>>,
): SetIdentity[] {
  const user = { projectUid: undefined, tags: [PRODUCER] };
  const project: SetIdentity = { tenant, isOrgLevel: false, tags: {} };
  const org: SetIdentity = { tenant, isOrgLevel: true, tags: {} };
  const others = [user, ...types].flatMap((type) => setOfType(type, tenant, metadata) ?? []);
  const byKey = new Map([project, org, ...others].map((identity) => [JSON.stringify(identity), identity]));
  return [...byKey.values()];
}

/** As `identities`, the sets themselves, for readers: with the one that a client may have made for the user alone, whether or not the project has that type of sets. */
export const setsOfMetadata = (
  { tenant, uid }: { readonly tenant: Tenant; readonly uid: string },
  types: readonly TypeOfSets[],
  metadata: Readonly<Record<string, string>>,
): MemorySet[] =>
  identities(tenant, [...types, { tags: [USER], projectUid: uid }], metadata).map((identity) =>
    toSet(identity, uid),
  );
