import { fieldIs, type Filter, type FilterField } from '@loci/contracts';
import { USER } from '../sets/set-identity.js';
import { type MemorySet } from '../sets/set.js';

/** The metadata that choose the sets of a user. */
export const metadataOfUser = (user: string): Record<string, string> => ({ producer_id: user, [USER]: user });

/** Whether messages of all users feed the set. */
export const isShared = ({ kind }: Pick<MemorySet, 'kind'>): boolean =>
  kind === 'project_set' || kind === 'set_type';

/** What the filter finds of a user: of sets that all feed, what is about this user. */
export function ofUser(user: string, set: Pick<MemorySet, 'kind'>, filter?: Filter): Filter | undefined {
  if (!isShared(set)) return filter;
  const isAbout = fieldIs({ kind: 'metadata', key: USER }, user);
  return filter ? { op: 'and', args: [filter, isAbout] } : isAbout;
}

const SET_ID: FilterField = { kind: 'system', name: 'set_id' };

/** The same over several sets. */
export const ofUserIn = (user: string, sets: readonly MemorySet[]): Filter => ({
  op: 'or',
  args: sets.map((set): Filter => {
    const isIn = fieldIs(SET_ID, set.id);
    const about = ofUser(user, set);
    return about ? { op: 'and', args: [isIn, about] } : isIn;
  }),
});
