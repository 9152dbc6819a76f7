import { sql } from '@loci/persistence';
import { projectLockKey, SCHEMA } from '../database.js';

/** Locks a project as an add does, and says which halves of episodic memory it uses, and how long its episodes live. Parameter: its uid. */
export const LOCK_OPEN_PROJECT = sql({
  text: `WITH queued AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${projectLockKey('$1')}))
         SELECT enabled AND short_term_enabled AS short_term, enabled AND long_term_enabled AS long_term,
                ttl_seconds
         FROM ${SCHEMA}.projects, queued WHERE uid = $1::uuid AND state = 'open' FOR SHARE OF projects`,
  row: { short_term: 'bool', long_term: 'bool', ttl_seconds: 'int4' },
});
