import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './feature-conditions.js';
import { RECORD_COLUMNS, RECORD_ROW } from './feature-rows.js';

/** What ended because of some features, and is none of them. Parameters: the set, and their uids. */
export const SUPERSEDED_FEATURES = sql({
  text: `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.features
         WHERE set_uid = $1 AND superseded_by = ANY($2::uuid[]) AND uid <> ALL($2::uuid[]) AND ${IS_LIVE}
         ORDER BY created_at, uid`,
  row: RECORD_ROW,
});
