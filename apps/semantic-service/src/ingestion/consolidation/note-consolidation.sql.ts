import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Of all categories and tags. Parameters: the set, how many features there are, `partitionKey` with the subject. */
export const NOTE_CONSOLIDATION = sql({
  text: `INSERT INTO ${SCHEMA}.ingestion_consolidations (set_uid, category, tag, features, partition_key)
         VALUES ($1, '', '', $2, $3)
         ON CONFLICT (set_uid, category, tag, partition_key) DO UPDATE SET features = excluded.features, at = now()`,
});
