import { sql } from '@loci/persistence';
import { LIST_NOTIFICATIONS } from './list-notifications.sql.js';
import { FROM_NOTIFICATIONS } from './notification-rows.js';

/** Oldest first. Parameters: the organization, the project, the types (null = any), behind which position, how many. */
export const FOLLOWING_NOTIFICATIONS = sql({
  text: `SELECT n.position, n.id, n.type, n.at, n.org_id, n.project_uid, p.project_id, n.data FROM ${FROM_NOTIFICATIONS}
         WHERE ($1::text IS NULL OR n.org_id = $1) AND ($2::uuid IS NULL OR n.project_uid = $2)
           AND ($3::text[] IS NULL OR n.type = ANY ($3)) AND n.position > $4::bigint AND p.deleted_at IS NULL
         ORDER BY n.position LIMIT $5`,
  row: LIST_NOTIFICATIONS.row,
});
