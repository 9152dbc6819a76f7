import { JOB_LEASE } from './job-lease.js';

/** Parameters 1 and 2: set and attempt. A lease that has run out is lost, whether or not another worker has the set. */
export const IS_HELD = `set_uid = $1 AND state = 'running' AND ${JOB_LEASE.isHeld(2)}`;
