import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

const KEYS = `SELECT FROM ${SCHEMA}.api_keys AS key WHERE key.revoked_at IS NULL AND key.org_id`;

/**
 * Whether an organization is there, by what was always made under a checked name: projects and keys; whether something else is
 * kept for it; and whether another one is there that looks like it, by whatever is kept for it. Parameters: the organization, its skeleton.
 */
export const ORGANIZATION_CONFLICT = sql({
  text: `
SELECT EXISTS (SELECT FROM ${SCHEMA}.projects WHERE org_id = $1) OR EXISTS (${KEYS} = $1) AS "isThere",
       EXISTS (SELECT FROM ${SCHEMA}.webhooks WHERE org_id = $1)
       OR EXISTS (SELECT FROM ${SCHEMA}.quota_limits WHERE org_id = $1) AS "isKept",
       EXISTS (SELECT FROM ${SCHEMA}.projects WHERE org_skeleton = $2 AND org_id <> $1)
       OR EXISTS (
         SELECT FROM ${SCHEMA}.bound_names AS name
         WHERE name.skeleton = $2 AND name.org_id <> $1 AND name.project_id = ''
           AND (EXISTS (${KEYS} = name.org_id)
                OR EXISTS (SELECT FROM ${SCHEMA}.webhooks WHERE org_id = name.org_id)
                OR EXISTS (SELECT FROM ${SCHEMA}.quota_limits WHERE org_id = name.org_id))
       ) AS "looksTaken"`,
  row: { isThere: 'bool', isKept: 'bool', looksTaken: 'bool' },
});

/** The same of a project, but for other things, by itself and by keys that are bound to it. Parameters: the organization, the project, its skeleton. */
export const PROJECT_CONFLICT = sql({
  text: `
SELECT EXISTS (SELECT FROM ${SCHEMA}.projects WHERE org_id = $1 AND project_id = $2)
       OR EXISTS (${KEYS} = $1 AND key.project_id = $2) AS "isThere",
       EXISTS (SELECT FROM ${SCHEMA}.projects WHERE org_id = $1 AND project_skeleton = $3 AND project_id <> $2)
       OR EXISTS (
         SELECT FROM ${SCHEMA}.bound_names AS name
         WHERE name.skeleton = $3 AND name.org_id = $1 AND name.project_id NOT IN ('', $2)
           AND EXISTS (${KEYS} = $1 AND key.project_id = name.project_id)
       ) AS "looksTaken"`,
  row: { isThere: 'bool', looksTaken: 'bool' },
});
