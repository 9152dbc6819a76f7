import { qualified } from '../statements/qualified-name.js';
import { LeaseSql } from './lease.js';

/** The lease of a row of `work_leases`. */
export const WORK_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'token', kind: 'uuid' },
  unfinished: 'unfinished',
});

export const workLeases = (schema: string): string => qualified(schema, 'work_leases');

/** Condition. Parameters 1 to 3: the kind, the key and the fence of a claim. */
export const IS_OWN_WORK = `kind = $1 AND key = $2 AND ${WORK_LEASE.isOwner(3)}`;
