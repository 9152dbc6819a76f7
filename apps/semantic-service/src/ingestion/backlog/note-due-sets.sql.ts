import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** The rows are locked by `TAKE_MESSAGES` already. */
export const NOTE_DUE_SETS = sql({
  name: 'backlog_note_due',
  text: `
UPDATE ${SCHEMA}.ingestion_jobs
SET state = 'due', run_after = now(), ordered_at = now(), changed_at = now()
WHERE set_uid = ANY($1::uuid[]) AND state IN ('idle', 'retrying') AND fresh - put_off >= $2
RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
