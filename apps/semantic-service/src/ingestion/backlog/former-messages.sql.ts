import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';
import { GIVEN_EPISODES } from './given-episodes.js';

export const FORMER_MESSAGES = sql({
  name: 'backlog_former',
  text: `
SELECT uid, project_uid, ${instantText('max(known.added_at)')} AS added_at
FROM ${GIVEN_EPISODES} JOIN ${SCHEMA}.ingestion_messages AS known USING (project_uid)
WHERE episode_uid = uid AND known.added_at < given.added_at
GROUP BY uid, project_uid`,
  row: {
    uid: 'uuid',
    project_uid: 'uuid',
    added_at: narrowed<Instant>('text'),
  },
});
