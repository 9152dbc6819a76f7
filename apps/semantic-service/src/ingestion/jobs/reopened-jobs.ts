import { JOBS } from './queues.js';

/**
 * The jobs of sets to which messages return: an UPDATE for a WITH, which answers `set_uid` and `state`. It counts the messages
 * in `reopened`, which has a `set_uid` for each.
 * @param sets the name of the query that has the uids of the sets, as `set_uid`
 */
export const reopenedJobs = (sets: string): string => `
  UPDATE ${JOBS} AS job
  SET waiting = waiting + (SELECT count(*) FROM reopened WHERE reopened.set_uid = job.set_uid),
      state = CASE WHEN state IN ('idle', 'retrying', 'blocked') THEN 'due' ELSE state END,
      run_after = CASE WHEN state = 'running' THEN run_after ELSE now() END,
      ordered_at = now(), changed_at = now(),
      -- a pass that is under way may be past these messages: what is fresh brings about another one
      fresh = CASE WHEN state = 'running' THEN fresh + 1 ELSE fresh END,
      fresh_since = CASE WHEN state = 'running' THEN '-infinity' ELSE fresh_since END
  WHERE set_uid IN (SELECT set_uid FROM ${sets}) RETURNING set_uid, state`;
