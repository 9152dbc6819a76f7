import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { IS_RELEARNABLE } from './relearnable.js';

/** Parameters: the project, until when, how many at most. */
export const FEATURES_TO_RELEARN = sql({
  text: `SELECT uid FROM ${SCHEMA}.features
         WHERE project_uid = $1 AND created_at <= $2::timestamptz AND ${IS_RELEARNABLE} LIMIT $3`,
  row: { uid: 'uuid' },
});
