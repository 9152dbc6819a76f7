import { type SemanticSet } from '@loci/contracts';
import { type SetIdentity, setIdOf, setKind } from './set-identity.js';
import { type SetType, type TaggedType } from './set.js';

const USER_PROFILE = 'User Profile';

/** The uids of the types that sets are of, where they are of one. */
export function uidsOfTypes(sets: readonly SetIdentity[], types: readonly TaggedType[]): string[] {
  const wanted = new Set(sets.map(keyOfSet));
  return types.filter((type) => wanted.has(keyOfType(type))).map(({ uid }) => uid);
}

/** The sets with what people are told of their types. Each type is looked at once: there are as many as a quota allows. */
export function describeSets(sets: readonly SetIdentity[], types: readonly SetType[]): SemanticSet[] {
  const byKey = new Map(types.map((type) => [keyOfType(type), type]));
  return sets.map((identity) => {
    const type = byKey.get(keyOfSet(identity));
    const name = setKind(identity) === 'user_set' ? USER_PROFILE : undefined;
    return {
      setId: setIdOf(identity),
      isOrgLevel: identity.isOrgLevel,
      tags: Object.keys(identity.tags).sort(),
      name: type?.name ?? name,
      description: type?.description,
    };
  });
}

const keyOfSet = ({ isOrgLevel, tags }: SetIdentity): string => keyOf(isOrgLevel, Object.keys(tags));

const keyOfType = ({ projectUid, tags }: Pick<SetType, 'projectUid' | 'tags'>): string =>
  keyOf(projectUid === undefined, tags);

const keyOf = (isOrgLevel: boolean, tags: readonly string[]): string =>
  JSON.stringify([isOrgLevel, tags.toSorted()]);
