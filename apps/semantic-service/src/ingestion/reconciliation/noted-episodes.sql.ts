import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../../database.js';

const AFTER = '(project_uid, episode_uid) > ($1::uuid, $2::uuid)';

/** What is cited or waits to be ingested, by project and uid. Parameters: behind which project and uid, how many at most. */
export const NOTED_EPISODES = sql({
  text: `
SELECT noted.project_uid, noted.episode_uid, projects.org_id, projects.project_id,
       ${instantText('noted.added_at')} AS added_at
FROM (
  SELECT project_uid, episode_uid, max(added_at) AS added_at FROM (
    (SELECT project_uid, episode_uid, max(added_at) AS added_at FROM ${SCHEMA}.citations
     WHERE ${AFTER} GROUP BY project_uid, episode_uid ORDER BY project_uid, episode_uid LIMIT $3)
    UNION ALL
    (SELECT project_uid, episode_uid, max(added_at) FROM ${SCHEMA}.ingestion_messages
     WHERE done_at IS NULL AND ${AFTER} GROUP BY project_uid, episode_uid ORDER BY project_uid, episode_uid LIMIT $3)
  ) AS either
  GROUP BY project_uid, episode_uid ORDER BY project_uid, episode_uid LIMIT $3
) AS noted
LEFT JOIN ${SCHEMA}.projects ON projects.uid = noted.project_uid AND projects.state = 'open'
ORDER BY noted.project_uid, noted.episode_uid`,
  row: {
    project_uid: 'uuid',
    episode_uid: 'uuid',
    org_id: 'text?',
    project_id: 'text?',
    added_at: narrowed<Instant | null>('text?'),
  },
});
