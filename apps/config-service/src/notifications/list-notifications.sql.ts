import { type NotificationType } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { FROM_NOTIFICATIONS, IS_WITHIN } from './notification-rows.js';

/** Oldest first. Parameters: as `IS_WITHIN`, behind which position, and how many. */
export const LIST_NOTIFICATIONS = sql({
  text: `SELECT n.position, n.id, n.type, n.at, n.org_id, n.project_uid, p.project_id, n.data
         FROM ${FROM_NOTIFICATIONS} WHERE ${IS_WITHIN} AND n.position > $4::bigint ORDER BY n.position LIMIT $5`,
  row: {
    position: 'int8',
    id: 'uuid',
    type: narrowed<NotificationType>('text'),
    at: 'timestamptz',
    org_id: 'text?',
    project_uid: 'uuid?',
    project_id: 'text?',
    data: narrowed<Readonly<Record<string, unknown>>>('jsonb'),
  },
});
