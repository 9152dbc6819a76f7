import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Finished ones are shown for a while. Parameters: how many days, how many at most. */
export const FORGET_DELETIONS = sql({
  text: `DELETE FROM ${SCHEMA}.deletions WHERE (project_uid, uid) IN (
           SELECT project_uid, uid FROM ${SCHEMA}.deletions WHERE finished_at < now() - make_interval(days => $1) LIMIT $2)`,
});
