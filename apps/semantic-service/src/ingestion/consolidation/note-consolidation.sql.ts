import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: set, category, tag, how many features the tag has. */
export const NOTE_CONSOLIDATION = sql({
  text: `INSERT INTO ${SCHEMA}.ingestion_consolidations (set_uid, category, tag, features) VALUES ($1, $2, $3, $4)
         ON CONFLICT (set_uid, category, tag) DO UPDATE SET features = excluded.features, at = now()`,
});
