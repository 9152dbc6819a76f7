import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { GIVEN_EPISODES } from './given-episodes.js';

export const UNKNOWN_MESSAGES = sql({
  name: 'backlog_unknown',
  text: `
SELECT uid FROM ${GIVEN_EPISODES} WHERE NOT EXISTS (
  SELECT FROM ${SCHEMA}.ingestion_messages AS known
  WHERE known.project_uid = given.project_uid AND episode_uid = uid
    AND (known.added_at IS NULL OR known.added_at >= given.added_at))`,
  row: { uid: 'uuid' },
});
