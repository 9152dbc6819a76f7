import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { expiresAt } from '../features/expiry.js';
import { RECORDED_AT } from '../features/feature-rows.js';
import { ARE_GONE } from './gone-citations.js';

/** When the last of the messages that are left was said, as of `lastSaidOf`. */
const LAST_SAID = `(SELECT coalesce(greatest(max(kept.created_at), CASE WHEN features.by_client THEN ${RECORDED_AT} END), ${RECORDED_AT})
  FROM ${SCHEMA}.citations kept WHERE kept.set_uid = features.set_uid AND kept.feature_uid = features.uid AND NOT EXISTS (
    SELECT FROM taken WHERE taken.feature_uid = kept.feature_uid AND taken.episode_uid = kept.episode_uid))`;

/** Takes citations away, and answers the features that cite nothing any more; what they renewed expires sooner. Parameters as of `ARE_GONE`. */
export const UNCITE_EPISODES = sql({
  text: `WITH taken AS (
           DELETE FROM ${SCHEMA}.citations WHERE ${ARE_GONE}
           RETURNING set_uid, feature_uid, episode_uid
         ), aged AS (
           UPDATE ${SCHEMA}.features SET expires_at = ${expiresAt('features', LAST_SAID)}
           WHERE expires_at IS NOT NULL AND (set_uid, uid) IN (SELECT set_uid, feature_uid FROM taken))
         SELECT uid, by_client, org_id, features.project_uid FROM ${SCHEMA}.features
         WHERE (set_uid, uid) IN (SELECT set_uid, feature_uid FROM taken) AND deleted_at IS NULL AND NOT EXISTS (
           SELECT FROM ${SCHEMA}.citations left_over
           WHERE left_over.set_uid = features.set_uid AND left_over.feature_uid = features.uid AND NOT EXISTS (
             SELECT FROM taken
             WHERE taken.feature_uid = left_over.feature_uid AND taken.episode_uid = left_over.episode_uid))`,
  row: { uid: 'uuid', by_client: 'bool', org_id: 'text', project_uid: 'uuid?' },
});
