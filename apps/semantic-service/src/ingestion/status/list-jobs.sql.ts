import { type FailingCategory, type IngestionState, type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { fromJobs } from './ingestion-jobs.js';

const COLUMNS = ` sets.id AS set_id, job.project_uid IS NULL AS is_org_level, job.state, job.waiting, job.fresh, job.put_off,
       job.attempt::float8 AS attempts, job.code, job.reason,
       ${instantText(`nullif(job.fresh_since, '-infinity')`)} AS fresh_since,
       ${instantText('job.lease_until')} AS lease_until, ${instantText('job.run_after')} AS run_after,
       ${instantText('job.changed_at')} AS changed_at,
       ${instantText(`least((SELECT min(received_at) FROM ${SCHEMA}.ingestion_messages
                             WHERE set_uid = job.set_uid AND done_at IS NULL),
         CASE WHEN job.project_uid IS NOT NULL THEN job.deferred_since END)`)} AS oldest_at,
       (SELECT count(*)::int FROM ${SCHEMA}.ingestion_dead_letters WHERE set_uid = job.set_uid) AS dead_letters,
       (SELECT coalesce(jsonb_agg(jsonb_build_object(
                 'category', category, 'failures', failures, 'code', code, 'reason', reason,
                 'nextAttemptAt', ${instantText('retry_at')}) ORDER BY category), '[]')
        FROM (SELECT category, failures, code, reason, retry_at
              FROM ${SCHEMA}.ingestion_failures WHERE set_uid = job.set_uid
              UNION ALL
              SELECT category, max(failures), (array_agg(code ORDER BY retry_at))[1],
                     (array_agg(reason ORDER BY retry_at))[1], min(retry_at)
              FROM ${SCHEMA}.ingestion_unfinished WHERE set_uid = job.set_uid AND batch_uid IS NOT NULL
              GROUP BY category) AS failing) AS failing`;

const INSTANT = narrowed<Instant>('text');
const INSTANT_IF_ANY = narrowed<Instant | null>('text?');

/** By set id. Parameters as of `fromJobs`, then how many at most, and how many to pass over. */
export const listJobs = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${COLUMNS} ${fromJobs(scope)} ORDER BY sets.id, job.set_uid LIMIT $5 OFFSET $6`,
    row: {
      set_id: 'text',
      is_org_level: 'bool',
      state: narrowed<IngestionState>('text'),
      waiting: 'int4',
      fresh: 'int4',
      put_off: 'int4',
      attempts: 'float8',
      code: 'text?',
      reason: 'text?',
      fresh_since: INSTANT_IF_ANY,
      lease_until: INSTANT_IF_ANY,
      run_after: INSTANT,
      changed_at: INSTANT,
      oldest_at: INSTANT_IF_ANY,
      dead_letters: 'int4',
      failing: narrowed<FailingCategory[]>('jsonb'),
    },
  });
