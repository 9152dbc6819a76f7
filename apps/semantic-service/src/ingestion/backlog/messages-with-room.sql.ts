import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';

const TABLE = `${SCHEMA}.messages_without_set`;

/**
 * Of organizations that have room now, and of what could not be taken in, those that were refused longest ago; what failed comes
 * last, as it may fail again. The organizations with a message here are found by one look into the index for each. Parameters:
 * the default of the quota, how many at most.
 */
export const MESSAGES_WITH_ROOM = sql({
  text: `
WITH RECURSIVE orgs AS (
  (SELECT org_id FROM ${TABLE} ORDER BY org_id LIMIT 1)
  UNION ALL
  SELECT (SELECT org_id FROM ${TABLE} WHERE org_id > orgs.org_id ORDER BY org_id LIMIT 1)
  FROM orgs WHERE orgs.org_id IS NOT NULL
)
SELECT project_uid, episode_uid, waiting.org_id, projects.project_id,
  ${instantText('added_at')} AS added_at, received_at, refused_at::text AS refused_at
FROM orgs LEFT JOIN ${SCHEMA}.set_counts AS counts USING (org_id)
LEFT JOIN ${SCHEMA}.quota_limits AS own ON own.org_id = orgs.org_id AND own.quota = 'sets'
JOIN LATERAL (
  (SELECT * FROM ${TABLE}
   WHERE org_id = orgs.org_id AND coalesce(counts.sets, 0) < coalesce(own.max, $1) ORDER BY refused_at LIMIT $2)
  UNION
  (SELECT * FROM ${TABLE} WHERE org_id = orgs.org_id AND has_failed ORDER BY refused_at LIMIT $2)
) AS waiting ON true
JOIN ${SCHEMA}.projects ON projects.uid = project_uid
ORDER BY has_failed, refused_at LIMIT $2`,
  row: {
    project_uid: 'uuid',
    episode_uid: 'uuid',
    org_id: 'text',
    project_id: 'text',
    added_at: narrowed<Instant>('text'),
    received_at: 'timestamptz',
    refused_at: 'text',
  },
});
