import { type NotificationType, type Webhook } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { uidOfProject } from '../projects/uid-of-project.js';

export const WEBHOOKS = `${SCHEMA}.webhooks`;
export const DELIVERIES = `${SCHEMA}.webhook_deliveries`;

/** Webhooks with the names of their projects. */
export const FROM_WEBHOOKS = `${WEBHOOKS} AS w LEFT JOIN ${SCHEMA}.projects AS p ON p.uid = w.project_uid`;

/**
 * Which of them lie within bounds; none of a project that is deleted.
 * Parameters, from the first on: the organization and the project (null = any).
 */
export const IS_WITHIN =
  `($1::text IS NULL OR w.org_id = $1) AND ($2::text IS NULL OR w.project_uid = ${uidOfProject('$1', '$2')}) ` +
  'AND p.deleted_at IS NULL';

export const WEBHOOK_COLUMNS = `w.id, w.url, w.description, w.org_id, p.project_id, w.types, w.is_enabled, w.disabled_reason,
  w.attempts, w.failing_since, w.last_error, w.next_attempt_at, w.last_delivered_at, w.created_at, w.rotated_at`;

/** The columns of `WEBHOOK_COLUMNS`. */
export const WEBHOOK_ROW = rowColumns({
  id: 'uuid',
  url: 'text',
  description: 'text',
  org_id: 'text?',
  project_id: 'text?',
  types: narrowed<NotificationType[]>('text[]?'),
  is_enabled: 'bool',
  disabled_reason: 'text?',
  attempts: 'int4',
  failing_since: 'timestamptz?',
  last_error: 'text?',
  next_attempt_at: 'timestamptz',
  last_delivered_at: 'timestamptz?',
  created_at: 'timestamptz',
  rotated_at: 'timestamptz?',
});

export const toWebhook = (row: RowOf<typeof WEBHOOK_ROW>): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  bounds: {
    ...(row.org_id !== null && { orgId: row.org_id }),
    ...(row.project_id !== null && { projectId: row.project_id }),
  },
  types: row.types ?? undefined,
  isEnabled: row.is_enabled,
  disabledReason: row.disabled_reason ?? undefined,
  attempts: row.attempts,
  failingSince: row.failing_since?.toISOString(),
  lastError: row.last_error ?? undefined,
  nextAttemptAt: row.is_enabled && row.attempts > 0 ? row.next_attempt_at.toISOString() : undefined,
  lastDeliveredAt: row.last_delivered_at?.toISOString(),
  createdAt: row.created_at.toISOString(),
  rotatedAt: row.rotated_at?.toISOString(),
});

const someNews = (of: string): string =>
  `EXISTS (SELECT FROM ${SCHEMA}.notifications AS n LEFT JOIN ${SCHEMA}.projects AS np ON np.uid = n.project_uid
           WHERE ${of} AND n.position > w.position AND (w.types IS NULL OR n.type = ANY (w.types))
             AND np.deleted_at IS NULL)`;

/** Whether there is something that a webhook did not get yet; each case has an index of its own. */
export const HAS_NEWS = `CASE
  WHEN w.project_uid IS NOT NULL THEN ${someNews('n.project_uid = w.project_uid')}
  WHEN w.org_id IS NOT NULL THEN ${someNews('n.org_id = w.org_id')}
  ELSE ${someNews('TRUE')} END`;
