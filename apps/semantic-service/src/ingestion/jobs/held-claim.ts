import { JOB_LEASE } from './job-lease.js';

/**
 * Parameters 1 and 2: set and attempt. A lease that has run out is lost once a look has made the set due again: until then
 * no other worker has it, and what was paid for on a busy machine counts.
 */
export const IS_HELD = `set_uid = $1 AND state = 'running' AND ${JOB_LEASE.isOwner(2)}`;
