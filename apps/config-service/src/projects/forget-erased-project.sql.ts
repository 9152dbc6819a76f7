import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Frees the name of a deleted project that every holder has erased. The next project of the name begins without the answers
 * that this one was given. That to its deletion stays: who asks for it again must not delete the next one. Parameters: its uid,
 * the operation that deletes projects.
 */
export const FORGET_ERASED_PROJECT = sql({
  text: `
WITH freed AS (
  DELETE FROM ${SCHEMA}.projects WHERE uid = $1 AND deleted_at IS NOT NULL AND pending_erasures = '{}'
  RETURNING org_id, project_id
)
DELETE FROM ${SCHEMA}.idempotency AS answer USING freed
WHERE answer.tenant = freed.org_id || '/' || freed.project_id AND answer.operation <> $2`,
});
