import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Features without a subject that only models made. Parameters: the project, until when, how many at most. */
export const FEATURES_TO_RELEARN = sql({
  text: `SELECT uid FROM ${SCHEMA}.features
         WHERE project_uid = $1 AND created_at <= $2::timestamptz AND subject IS NULL AND NOT by_client
           AND deleted_at IS NULL
         LIMIT $3`,
  row: { uid: 'uuid' },
});
