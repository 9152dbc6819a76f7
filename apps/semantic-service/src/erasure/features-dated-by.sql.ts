import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** The features of which episodes say when they hold. Parameter: uids of the episodes. */
export const FEATURES_DATED_BY = sql({
  text: `SELECT DISTINCT features.uid, features.set_uid, features.org_id, features.project_uid
         FROM unnest($1::uuid[]) AS given(uid) JOIN ${SCHEMA}.features
           ON features.dates @> jsonb_build_array(jsonb_build_object('episodeUid', given.uid))
         WHERE features.dates IS NOT NULL AND features.deleted_at IS NULL`,
  row: { uid: 'uuid', set_uid: 'uuid', org_id: 'text', project_uid: 'uuid?' },
});
