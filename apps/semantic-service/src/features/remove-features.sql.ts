import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './feature-conditions.js';

/** Turns features into tombstones. Parameter: their uids. */
export const REMOVE_FEATURES = sql({
  name: 'remove_features',
  text: `
WITH removed AS (
  UPDATE ${SCHEMA}.features SET deleted_at = now() WHERE uid = ANY($1::uuid[]) AND ${IS_LIVE} RETURNING uid)
DELETE FROM ${SCHEMA}.citations USING removed WHERE feature_uid = removed.uid`,
});
