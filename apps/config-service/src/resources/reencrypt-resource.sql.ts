import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: kind, name, configuration as JSON. */
export const REENCRYPT_RESOURCE = sql({
  text: `UPDATE ${SCHEMA}.resources SET config = $3 WHERE kind = $1 AND name = $2`,
});
