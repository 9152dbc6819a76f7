import { PRODUCER, USER } from './set-identity.js';
import { type MemorySet } from './set.js';

/** The metadata that choose the sets of a user. */
export const metadataOfUser = (user: string): Record<string, string> => ({ [PRODUCER]: user, [USER]: user });

/** Whether messages of all users feed the set. */
export const isShared = ({ kind }: Pick<MemorySet, 'kind'>): boolean =>
  kind === 'project_set' || kind === 'set_type';
