import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';

/** Stores a resource or replaces the one of its name; its probe is due. Parameters: kind, name, provider, configuration as JSON, revision, whether it may be the default. */
export const PUT_RESOURCE = sql({
  text: `INSERT INTO ${SCHEMA}.resources (kind, name, provider, config, revision, status, next_probe_at, may_be_default)
         VALUES ($1, $2, $3, $4, $5, 'pending', now(), $6)
         ON CONFLICT (kind, name) DO UPDATE
         SET provider = excluded.provider, config = excluded.config, revision = excluded.revision,
             may_be_default = excluded.may_be_default,
             status = 'pending', error = NULL, failures = 0, next_probe_at = now(),
             ${PROBE_LEASE.released}, ${PROBE_LEASE.ended}`,
});
