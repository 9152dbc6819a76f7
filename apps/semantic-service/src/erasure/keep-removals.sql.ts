import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Writes what is left of entries of the history. Parameter: the entries as JSON. */
export const KEEP_REMOVALS = sql({
  text: `
UPDATE ${SCHEMA}.feature_history SET before = given.before, said_by = given.said_by, episodes = given.episodes
FROM jsonb_to_recordset($1::jsonb) AS given(uid uuid, set_uid uuid, before jsonb, said_by jsonb, episodes uuid[])
WHERE feature_history.set_uid = given.set_uid AND feature_history.uid = given.uid`,
});
