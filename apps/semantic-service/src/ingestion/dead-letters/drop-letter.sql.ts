import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { changeableRows } from '../../projects/visible-rows.js';

/**
 * Its messages are done from now on. Parameters: organization, project, uid. No row when there is no such letter.
 */
export const dropLetter = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
WITH dropped AS (
  DELETE FROM ${SCHEMA}.ingestion_dead_letters AS letter
  WHERE ${changeableRows(scope, 'letter')} AND letter.uid = $3 RETURNING uid
), done AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = now()
  FROM ${SCHEMA}.ingestion_progress AS progress JOIN dropped ON progress.letter_uid = dropped.uid
  WHERE message.set_uid = progress.set_uid AND message.episode_uid = progress.episode_uid
    AND message.done_at IS NOT NULL
)
SELECT uid FROM dropped`,
    row: { uid: 'uuid' },
  });
