import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from '../features/feature-conditions.js';

/** What `UNCITE_EPISODES` leaves without a citation, and no client wrote. Parameters: the project, the uids of its episodes. */
export const COUNT_LEARNED_ONLY_FROM = sql({
  text: `SELECT count(*)::int AS features FROM ${SCHEMA}.features
         WHERE (set_uid, uid) IN (
             SELECT set_uid, feature_uid FROM ${SCHEMA}.citations
             WHERE project_uid = $1 AND episode_uid = ANY($2::uuid[]))
           AND ${IS_LIVE} AND NOT by_client AND NOT EXISTS (
             SELECT FROM ${SCHEMA}.citations kept
             WHERE kept.set_uid = features.set_uid AND kept.feature_uid = features.uid
               AND NOT (kept.project_uid = $1 AND kept.episode_uid = ANY($2::uuid[])))`,
  row: { features: 'int4' },
});
