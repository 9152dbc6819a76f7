import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * What features cite: citations that are not given go. Parameters: uids of the features, their citations as JSON, and the
 * uids of the sets.
 */
export const SAVE_CITATIONS = sql({
  name: 'save_citations',
  text: `
WITH given AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS given(
    feature_uid uuid, set_uid uuid, episode_uid uuid, project_uid uuid, producer_id text, producer_role text, produced_for_id text,
    created_at timestamptz, added_at timestamptz, metadata jsonb, is_bound bool)
), uncited AS (
  DELETE FROM ${SCHEMA}.citations 
  WHERE set_uid = ANY($3::uuid[]) AND feature_uid = ANY($1::uuid[]) AND NOT EXISTS (
    SELECT FROM given WHERE given.feature_uid = citations.feature_uid AND given.episode_uid = citations.episode_uid)
)
INSERT INTO ${SCHEMA}.citations (feature_uid, set_uid, episode_uid, project_uid, producer_id, producer_role,
                                 produced_for_id, created_at, added_at, metadata, is_bound)
SELECT feature_uid, set_uid, episode_uid, project_uid, producer_id, producer_role, produced_for_id, created_at, added_at,
       metadata, is_bound
FROM given
ON CONFLICT DO NOTHING`,
});
