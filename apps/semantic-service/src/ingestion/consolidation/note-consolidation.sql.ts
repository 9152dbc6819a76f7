import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: set, category, tag, how many features the tag has, `partitionKey`. */
export const NOTE_CONSOLIDATION = sql({
  text: `INSERT INTO ${SCHEMA}.ingestion_consolidations (set_uid, category, tag, features, partition_key)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (set_uid, category, tag, partition_key) DO UPDATE SET features = excluded.features, at = now()`,
});
