import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Names that are not noted, of the next rows in which names are used. It reads no more of these than it is told to, and of the
 * noted names those that it looks for. One row without a name when all are noted; no row when there are no further ones.
 * @param rows a query for the next rows: `key`, the two names, and whether they are used
 */
const namesNotNoted = (rows: string) =>
  sql({
    text: `
WITH step AS MATERIALIZED (${rows}),
used AS (
  SELECT org_id, project_id FROM step WHERE is_used
  UNION SELECT org_id, '' FROM step WHERE is_used
)
SELECT last.key::text AS last, missing.org_id, missing.project_id
FROM (SELECT key FROM step ORDER BY key DESC LIMIT 1) AS last
LEFT JOIN (
  SELECT org_id, project_id FROM used
  -- one by one: a join would read all that are noted
  WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.bound_names AS noted
                    WHERE noted.org_id = used.org_id AND noted.project_id = used.project_id OFFSET 0)
) AS missing ON true`,
    row: { last: 'text', org_id: 'text?', project_id: 'text?' },
  });

/** By the migration that makes the table, too. Parameters: the key that it begins behind, how many rows at most. */
export const KEYS_NOT_NOTED = namesNotNoted(`
  SELECT id AS key, org_id, coalesce(project_id, '') AS project_id, revoked_at IS NULL AND org_id IS NOT NULL AS is_used
  FROM ${SCHEMA}.api_keys WHERE id > $1::uuid ORDER BY id LIMIT $2`);

/** As `KEYS_NOT_NOTED`, of webhooks. */
export const WEBHOOKS_NOT_NOTED = namesNotNoted(`
  SELECT id AS key, org_id, '' AS project_id, org_id IS NOT NULL AS is_used
  FROM ${SCHEMA}.webhooks WHERE id > $1::uuid ORDER BY id LIMIT $2`);

/** As `KEYS_NOT_NOTED`, of quotas, which begin behind an organization. */
export const QUOTAS_NOT_NOTED = namesNotNoted(`
  SELECT DISTINCT org_id AS key, org_id, '' AS project_id, true AS is_used
  FROM ${SCHEMA}.quota_limits WHERE org_id > $1 ORDER BY org_id LIMIT $2`);
