import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Configures what is not configured yet. Parameters: the set, embedder, language model (null = none). One row when there was something. */
export const PRESET_SET = sql({
  text: `UPDATE ${SCHEMA}.sets
         SET embedder_name = coalesce(embedder_name, $2), llm_name = coalesce(llm_name, $3)
         WHERE uid = $1 AND (embedder_name IS NULL AND $2::text IS NOT NULL OR llm_name IS NULL AND $3::text IS NOT NULL)
         RETURNING uid`,
  row: { uid: 'uuid' },
});
