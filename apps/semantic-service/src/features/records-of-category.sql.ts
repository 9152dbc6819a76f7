import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_NOT_ENDED, IS_LIVE } from './feature-conditions.js';
import { RECORD_COLUMNS, RECORD_ROW } from './feature-rows.js';
import { inPartition } from './partition.js';

/** Parameters: the set, the category, a tag and a name (null = all), two of the partition, whether the subject
 * counts, the subject, and whether only those count that have not ended. */
export const RECORDS_OF_CATEGORY = sql({
  text: `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.features
         WHERE set_uid = $1 AND category = $2 AND ($3::text IS NULL OR tag = $3) AND ($4::text IS NULL OR name = $4)
           AND ${inPartition(5)} AND (NOT $7::boolean OR subject IS NOT DISTINCT FROM $8::text)
           AND (NOT $9::boolean OR ${IS_NOT_ENDED}) AND ${IS_LIVE} ORDER BY created_at, uid`,
  row: RECORD_ROW,
});
