import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './feature-conditions.js';

/** Turns features into tombstones. Parameters: their uids, and those of their sets. */
export const REMOVE_FEATURES = sql({
  name: 'remove_features',
  text: `
WITH removed AS (
  UPDATE ${SCHEMA}.features SET deleted_at = now() 
  WHERE set_uid = ANY($2::uuid[]) AND uid = ANY($1::uuid[]) AND ${IS_LIVE} RETURNING set_uid, uid)
DELETE FROM ${SCHEMA}.citations USING removed
WHERE citations.set_uid = removed.set_uid AND feature_uid = removed.uid`,
});
