import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** A message with a dead letter was ingested for the other categories alone. Parameters: the project, uids of its episodes. */
export const INGESTED_MESSAGES = sql({
  text: `
SELECT message.episode_uid, sets.project_uid IS NULL AS is_org_level, sets.tag_values AS tags, categories,
       message.done_at IS NOT NULL AND NOT has_letter AS is_whole
FROM ${SCHEMA}.ingestion_messages AS message
JOIN ${SCHEMA}.sets ON sets.uid = message.set_uid
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(category ORDER BY category) FILTER (WHERE outcome = 'ingested'), '{}') AS categories,
         coalesce(bool_or(outcome = 'dead'), false) AS has_letter
  FROM ${SCHEMA}.ingestion_progress AS progress
  WHERE progress.set_uid = message.set_uid AND progress.episode_uid = message.episode_uid) AS progress
WHERE message.project_uid = $1 AND message.episode_uid = ANY($2::uuid[])
ORDER BY is_org_level, tags::text`,
  row: {
    episode_uid: 'uuid',
    is_org_level: 'bool',
    tags: narrowed<Readonly<Record<string, string>>>('jsonb'),
    is_whole: 'bool',
    categories: 'text[]',
  },
});
