import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { reopenedJobs } from '../jobs/reopened-jobs.js';
import { type Scope } from '../../projects/project.js';
import { changeableRows } from '../../projects/visible-rows.js';

/** Parameters: organization, project, uids of letters. One row: the letters, and the sets that are due now. */
export const replayLetters = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
WITH replayed AS (
  DELETE FROM ${SCHEMA}.ingestion_dead_letters AS letter
  WHERE ${changeableRows(scope, 'letter')} AND uid = ANY($3)
  RETURNING uid, set_uid, category
), undone AS (
  DELETE FROM ${SCHEMA}.ingestion_progress AS progress USING replayed
  WHERE progress.letter_uid = replayed.uid RETURNING progress.set_uid, progress.episode_uid
), untried AS (
  DELETE FROM ${SCHEMA}.ingestion_failures AS failure USING replayed
  WHERE failure.set_uid = replayed.set_uid AND failure.category = replayed.category
), reopened AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = NULL
  FROM (SELECT DISTINCT set_uid, episode_uid FROM undone) AS undone
  WHERE message.set_uid = undone.set_uid AND message.episode_uid = undone.episode_uid
    AND message.done_at IS NOT NULL
  RETURNING message.set_uid
), jobs AS (${reopenedJobs('replayed')})
SELECT ARRAY(SELECT uid FROM replayed) AS letters,
       ARRAY(SELECT set_uid FROM jobs WHERE state = 'due') AS due_sets`,
    row: { letters: 'uuid[]', due_sets: 'uuid[]' },
  });
