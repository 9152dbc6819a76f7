import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Of messages that were ingested elsewhere for some of the categories, as far as they have a row. */
export const NOTE_PROGRESS = sql({
  name: 'backlog_note_progress',
  text: `
INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt)
SELECT set_uid, episode_uid, category, 'ingested', 0
FROM jsonb_to_recordset($1::jsonb) AS given(set_uid uuid, episode_uid uuid, category text)
JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
ON CONFLICT DO NOTHING`,
});
