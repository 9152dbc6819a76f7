import { type PreparedStatement } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';
import { inPartition } from './partition.js';
import { FEATURE_COLUMNS, FROM_FEATURES, IS_LIVE, RECORD_COLUMNS } from './feature-rows.js';

const FEATURES = `${SCHEMA}.features`;

export const NEWEST: PreparedStatement = {
  name: 'newest_features',
  sql: `
SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
WHERE features.set_uid = $1 AND features.category = $2 AND ($3::text IS NULL OR features.tag = $3) AND ${IS_LIVE}
  AND ${inPartition(5)}
ORDER BY features.updated_at DESC, features.uid DESC LIMIT $4`,
};

export const GROUPS: PreparedStatement = {
  name: 'feature_groups',
  sql: `
SELECT tag, is_trusted, source_project_uid, count(*)::int AS count FROM ${FEATURES}
WHERE set_uid = $1 AND category = $2 AND ${IS_LIVE} GROUP BY tag, is_trusted, source_project_uid`,
};

export const LOCK_SET: PreparedStatement = {
  name: 'lock_set',
  sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))',
};

export const DUPLICATE: PreparedStatement = {
  name: 'feature_twin',
  sql: `
SELECT ${RECORD_COLUMNS} FROM ${FEATURES}
WHERE set_uid = $1 AND md5(category) = md5($2) AND md5(tag) = md5($3) AND md5(name) = md5($4)
  AND md5(value) = md5($5) AND is_trusted = $6 AND source_project_uid IS NOT DISTINCT FROM $7::uuid AND ${IS_LIVE}`,
};

const INSERT_CITATIONS = `
INSERT INTO ${SCHEMA}.citations (feature_uid, episode_uid, project_uid, producer_id, producer_role, produced_for_id,
                                 created_at, added_at, metadata)
SELECT $1, episode_uid, project_uid, producer_id, producer_role, produced_for_id, created_at, added_at, metadata
FROM jsonb_to_recordset($11::jsonb) AS given(
  episode_uid uuid, project_uid uuid, producer_id text, producer_role text, produced_for_id text,
  created_at timestamptz, added_at timestamptz, metadata jsonb)
ON CONFLICT DO NOTHING`;

/** The feature and its citations as they are to be: what is not given goes. Nothing comes back when it is in another set. */
export const SAVE: PreparedStatement = {
  name: 'save_feature',
  sql: `
WITH saved AS (
  INSERT INTO ${FEATURES} (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client,
                           created_at, is_trusted, source_project_uid, origin)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($12::timestamptz, now()), $13, $14, $15)
  ON CONFLICT (uid) DO UPDATE SET
    category = excluded.category, tag = excluded.tag, name = excluded.name, value = excluded.value,
    metadata = excluded.metadata, by_client = excluded.by_client, is_trusted = excluded.is_trusted,
    source_project_uid = excluded.source_project_uid, origin = excluded.origin, revision = features.revision + 1,
    updated_at = now(), deleted_at = NULL, indexed_at = NULL, ordered_at = NULL, carried_to = NULL
  WHERE features.set_uid = excluded.set_uid
  RETURNING 1
), uncited AS (
  DELETE FROM ${SCHEMA}.citations WHERE feature_uid = $1 AND NOT episode_uid IN (
    SELECT (given ->> 'episode_uid')::uuid FROM jsonb_array_elements($11::jsonb) AS given)
), cited AS (${INSERT_CITATIONS})
SELECT FROM saved`,
};

export const DELETED_AMONG: PreparedStatement = {
  name: 'deleted_among',
  sql: `
SELECT uid, ${instantText('added_until')} AS added_until
FROM ${SCHEMA}.deleted_episodes WHERE uid = ANY($1::uuid[])`,
};
