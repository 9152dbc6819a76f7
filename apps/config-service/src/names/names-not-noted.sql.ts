import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** By the migration that makes the table, too. Parameter: how many at most. */
export const NAMES_NOT_NOTED = sql({
  text: `
SELECT used.org_id, used.project_id
FROM (
  SELECT org_id, coalesce(project_id, '') AS project_id FROM ${SCHEMA}.api_keys WHERE revoked_at IS NULL
  UNION SELECT org_id, '' FROM ${SCHEMA}.api_keys WHERE revoked_at IS NULL
  UNION SELECT org_id, '' FROM ${SCHEMA}.webhooks
  UNION SELECT org_id, '' FROM ${SCHEMA}.quota_limits
) AS used
WHERE used.org_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM ${SCHEMA}.bound_names AS noted
                  WHERE noted.org_id = used.org_id AND noted.project_id = used.project_id)
LIMIT $1`,
  row: { org_id: 'text', project_id: 'text' },
});
