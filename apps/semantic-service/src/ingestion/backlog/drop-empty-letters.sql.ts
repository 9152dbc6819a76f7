import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Dead letters without a message. */
export const DROP_EMPTY_LETTERS = sql({
  text: `
DELETE FROM ${SCHEMA}.ingestion_dead_letters AS letter
WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.ingestion_progress WHERE letter_uid = letter.uid)`,
});
