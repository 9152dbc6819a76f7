import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { ARE_GONE } from './gone-citations.js';

/** Takes citations away, and answers the features that cite nothing any more. Parameters as of `ARE_GONE`. */
export const UNCITE_EPISODES = sql({
  text: `WITH taken AS (
           DELETE FROM ${SCHEMA}.citations WHERE ${ARE_GONE}
           RETURNING feature_uid, episode_uid)
         SELECT uid, by_client, org_id, features.project_uid FROM ${SCHEMA}.features
         WHERE uid IN (SELECT feature_uid FROM taken) AND deleted_at IS NULL AND NOT EXISTS (
           SELECT FROM ${SCHEMA}.citations left_over
           WHERE left_over.feature_uid = features.uid AND NOT EXISTS (
             SELECT FROM taken
             WHERE taken.feature_uid = left_over.feature_uid AND taken.episode_uid = left_over.episode_uid))`,
  row: { uid: 'uuid', by_client: 'bool', org_id: 'text', project_uid: 'uuid?' },
});
