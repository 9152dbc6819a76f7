import { SCHEMA } from '../database.js';
import { uidOfProject } from '../projects/uid-of-project.js';

/** Notifications with the names of their projects; none of a project that is deleted. */
export const FROM_NOTIFICATIONS = `${SCHEMA}.notifications AS n LEFT JOIN ${SCHEMA}.projects AS p ON p.uid = n.project_uid`;

/**
 * Which of them lie within bounds.
 * Parameters, from the first on: the organization and the project (null = any), whether those of the deployment do, too.
 */
export const IS_WITHIN =
  `($1::text IS NULL OR n.org_id = $1) AND ($2::text IS NULL OR n.project_uid = ${uidOfProject('$1', '$2')}) ` +
  'AND (n.org_id IS NOT NULL OR $3::boolean) AND p.deleted_at IS NULL';
