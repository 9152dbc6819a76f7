import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Of some dead letters those without a message. Parameter: their uids. */
export const DROP_EMPTY_LETTERS = sql({
  text: `
DELETE FROM ${SCHEMA}.ingestion_dead_letters AS letter
WHERE uid = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM ${SCHEMA}.ingestion_progress WHERE letter_uid = letter.uid)`,
});
