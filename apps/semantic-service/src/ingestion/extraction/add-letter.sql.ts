import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the uid, set, organization, project, category, code, reason, failures, the refused commands or null. */
export const ADD_LETTER = sql({
  text: `INSERT INTO ${SCHEMA}.ingestion_dead_letters
           (uid, set_uid, org_id, project_uid, category, code, reason, failures, commands)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
});
