import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Episodes of a project that the history of sets of its organization knows, though no feature may cite them any more. Parameters:
 * the project, how many at most.
 */
export const EPISODES_OF_HISTORY = sql({
  text: `
SELECT DISTINCT cited.uid AS episode_uid
FROM ${SCHEMA}.projects
JOIN ${SCHEMA}.sets ON sets.org_id = projects.org_id AND sets.project_uid IS NULL
JOIN ${SCHEMA}.feature_history AS entry ON entry.set_uid = sets.uid
CROSS JOIN LATERAL (
  SELECT (found #>> '{}')::uuid AS uid
  FROM jsonb_path_query(
    jsonb_build_array(entry.before -> 'citations', entry.after -> 'citations', entry.said_by),
    '$[*][*] ? (@.projectUid == $project).episodeUid', jsonb_build_object('project', $1::uuid)) AS found) AS cited
WHERE projects.uid = $1 AND cited.uid = ANY(entry.episodes)
LIMIT $2`,
  row: { episode_uid: 'uuid' },
});
