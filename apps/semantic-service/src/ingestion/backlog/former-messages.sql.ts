import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { GIVEN_EPISODES } from './given-episodes.js';

export const FORMER_MESSAGES = sql({
  name: 'backlog_former',
  text: `
SELECT uid, project_uid, ${instantText('max(known.added_at)')} AS added_at
FROM ${GIVEN_EPISODES} CROSS JOIN LATERAL (
  SELECT added_at FROM ${SCHEMA}.ingestion_messages AS message
  WHERE message.project_uid = given.project_uid AND message.episode_uid = uid
  UNION ALL
  SELECT added_at FROM ${SCHEMA}.citations AS cited
  WHERE cited.project_uid = given.project_uid AND cited.episode_uid = uid) AS known
WHERE known.added_at < given.added_at
GROUP BY uid, project_uid`,
  row: {
    uid: 'uuid',
    project_uid: 'uuid',
    added_at: narrowed<Instant>('text'),
  },
});
