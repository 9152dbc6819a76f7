import { fieldIs, type Filter, type FilterField } from '@loci/contracts';
import { type SetFilter } from '../features/readable-features.js';
import { USER } from '../sets/set-identity.js';
import { type MemorySet } from '../sets/set.js';
import { isShared } from '../sets/sets-of-user.js';

const SUBJECT: FilterField = { kind: 'system', name: 'subject' };

/** What the filter finds of a user: what is about this user and, in a set of the user's own, about no one in particular. */
export function ofUser(user: string, set: Pick<MemorySet, 'kind'>, filter?: Filter): Filter {
  const isAbout = fieldIs({ kind: 'metadata', key: USER }, user);
  const isTheirs: Filter = isShared(set)
    ? isAbout
    : {
        op: 'or',
        args: [isAbout, fieldIs(SUBJECT, ''), { op: 'not', arg: { op: 'present', field: SUBJECT } }],
      };
  return filter ? { op: 'and', args: [filter, isTheirs] } : isTheirs;
}

/** The same of each of several sets. */
export const ofUserIn = (user: string, sets: readonly MemorySet[], filter?: Filter): SetFilter[] =>
  sets.map((set) => ({ setUid: set.uid, filter: ofUser(user, set, filter) }));
