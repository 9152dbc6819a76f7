import { type Tenant } from '@loci/contracts';
import { v5 as uuidv5 } from 'uuid';
import { type Owner } from '../projects/project.js';
import { PRODUCER, type SetIdentity, setIdOf, setKind, type SetKind, tagKeys, USER } from './set-identity.js';

/** Whose a set is: of a project, or of an organization as a whole when there is no project. */
export interface MemorySet {
  /** Our own name for it, the same on every replica. */
  readonly uid: string;
  /** Its public id. */
  readonly id: string;
  readonly orgId: string;
  /** Absent at the level of the organization. */
  readonly projectUid: string | undefined;
  readonly kind: SetKind;
  readonly tags: Readonly<Record<string, string>>;
  /** Whether a client made its id up: no metadata lead to it. Given where a set is made. */
  readonly isMadeUp?: boolean | undefined;
}

/** Names of registered resources that a set uses instead of the defaults. */
export interface SetConfiguration {
  readonly embedderName: string | undefined;
  readonly llmName: string | undefined;
}

export interface SetType {
  readonly uid: string;
  readonly orgId: string;
  /** Absent at the level of the organization. */
  readonly projectUid: string | undefined;
  /** Sorted, each once. */
  readonly tags: readonly string[];
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** A type as far as it decides which sets a message belongs to. */
export type TaggedType = Pick<SetType, 'uid' | 'projectUid' | 'tags'>;

const SETS = '6a1cf2f2-5d0b-5c3e-9f57-0d9b1f0b8b11';

const setUid = (orgId: string, projectUid: string | undefined, id: string): string =>
  uuidv5(JSON.stringify([orgId, projectUid ?? null, id]), SETS);

/** @param projectUid of the tenant's project; only a set of the organization can do without */
export function toSet(identity: SetIdentity, projectUid: string | undefined): MemorySet {
  const id = setIdOf(identity);
  const owner = identity.isOrgLevel ? undefined : projectUid;
  const { orgId } = identity.tenant;
  return {
    uid: setUid(orgId, owner, id),
    id,
    orgId,
    projectUid: owner,
    kind: setKind(identity),
    tags: identity.tags,
  };
}

/** A set of a project under an id that a client made up; its kind is that of the prefix. */
export const madeUpSet = (
  { orgId, projectUid }: Owner & { readonly projectUid: string },
  kind: SetKind,
  id: string,
): MemorySet => ({
  uid: setUid(orgId, projectUid, id),
  id,
  orgId,
  projectUid,
  kind,
  tags: {},
  isMadeUp: true,
});

/** The user whose set it is; undefined when it is that of more, or of none. */
export const userOfSet = ({ tags }: Pick<MemorySet, 'tags'>): string | undefined => {
  const keys = Object.keys(tags);
  return keys.length === 1 ? (tags[PRODUCER] ?? tags[USER]) : undefined;
};

/** Where the features of a set are. */
export const locationOf = ({ uid, orgId, projectUid }: Owner & { readonly uid: string }) => ({
  setUid: uid,
  orgId,
  projectUid,
});

/** The uids that a public id can stand for within a scope: the project's set first. */
export const setUidsFor = ({ orgId, projectUid }: Owner, id: string): string[] => [
  ...(projectUid === undefined ? [] : [setUid(orgId, projectUid, id)]),
  setUid(orgId, undefined, id),
];

/** The set of a type for metadata that has all its tags; undefined when it does not. */
export function setOfType(
  type: Pick<SetType, 'tags' | 'projectUid'>,
  tenant: Tenant,
  metadata: Readonly<Record<string, string>>,
): SetIdentity | undefined {
  if (!type.tags.every((tag) => Object.hasOwn(metadata, tag))) return undefined;
  return { tenant, isOrgLevel: type.projectUid === undefined, tags: valuesOf(type.tags, metadata) };
}

/** The part of the metadata that names values for these tags. */
export function valuesOf(
  tags: readonly string[],
  metadata: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    tagKeys(tags).flatMap((tag) => {
      const value = Object.hasOwn(metadata, tag) ? metadata[tag] : undefined;
      return value === undefined ? [] : [[tag, value]];
    }),
  );
}
