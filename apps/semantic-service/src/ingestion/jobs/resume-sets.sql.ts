import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { JOBS } from './queues.js';

/** What kept a set waiting when its provider refused or did not answer. */
const OUTAGE = `code = 'language_model_unavailable'`;

const endPauses = (table: string) =>
  sql({
    text: `UPDATE ${SCHEMA}.${table} AS pause SET retry_at = now() FROM ${JOBS} AS job
           WHERE job.set_uid = pause.set_uid AND job.llm_name = ANY($1::text[])
             AND pause.${OUTAGE} AND pause.retry_at > now()`,
  });

/** Of the categories of sets of these models. Parameter: the names of models, the empty one for the default. */
export const END_CATEGORY_PAUSES = endPauses('ingestion_failures');

/** Of single messages in these sets. Parameter: as of `END_CATEGORY_PAUSES`. */
export const END_MESSAGE_PAUSES = endPauses('ingestion_unfinished');

/** Has the sets go on themselves. Parameter: as of `END_CATEGORY_PAUSES`. */
export const RESUME_SETS = sql({
  text: `UPDATE ${JOBS} SET run_after = now()
         WHERE state IN ('retrying', 'blocked') AND llm_name = ANY($1::text[]) AND ${OUTAGE} AND run_after > now()`,
});
