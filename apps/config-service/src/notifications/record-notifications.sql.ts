import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Gives notifications their positions and stores them, each once; those of a project that is deleted are dropped. Only
 * under the lock of the head. Parameter: the notifications as JSON.
 */
export const RECORD_NOTIFICATIONS = sql({
  name: 'record_notifications',
  text: `WITH given AS (
           SELECT g.* FROM jsonb_to_recordset($1::jsonb) AS g(
             id uuid, type text, at timestamptz, "orgId" text, "projectUid" uuid, data jsonb)),
         named AS (
           SELECT given.*, projects.project_id FROM given LEFT JOIN ${SCHEMA}.projects ON projects.uid = "projectUid"
           WHERE "projectUid" IS NULL OR (projects.uid IS NOT NULL AND projects.deleted_at IS NULL)),
         added AS (
           INSERT INTO ${SCHEMA}.notifications (position, id, type, at, org_id, project_uid, data)
           SELECT greatest(head.position, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
                    + row_number() OVER (ORDER BY named.id),
                  named.id, type, at, "orgId", "projectUid", data
           FROM named CROSS JOIN ${SCHEMA}.notification_head AS head
           ON CONFLICT (id) DO NOTHING
           RETURNING position, id),
         moved AS (
           UPDATE ${SCHEMA}.notification_head SET position = last FROM (SELECT max(position) AS last FROM added) AS new
           WHERE last IS NOT NULL)
         SELECT DISTINCT named."orgId" AS org_id, named.project_id FROM named JOIN added USING (id)`,
  row: { org_id: 'text?', project_id: 'text?' },
});
