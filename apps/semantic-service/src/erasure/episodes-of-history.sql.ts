import { FIRST_UID } from '@loci/indexing';
import { sql } from '@loci/persistence';
import { MAX } from 'uuid';
import { SCHEMA } from '../database.js';
import { CHANGE } from '../features/history-rows.js';

/**
 * Episodes of a project that some of the history of its organization's sets knows, though no feature may cite them any more;
 * and after which set and change to go on, null at the end. A change is read whole.
 * Parameters: the project, the set and the change to go on after, how many sets and how many entries to read, about.
 */
export const EPISODES_OF_HISTORY = sql({
  text: `
WITH next_sets AS MATERIALIZED (
  SELECT sets.uid FROM ${SCHEMA}.projects
  JOIN ${SCHEMA}.sets ON sets.org_id = projects.org_id AND sets.project_uid IS NULL
  WHERE projects.uid = $1 AND sets.uid >= $2::uuid ORDER BY sets.uid LIMIT $4
), page AS MATERIALIZED (
  SELECT entry.* FROM next_sets CROSS JOIN LATERAL (
    SELECT uid, set_uid, ${CHANGE} AS change FROM ${SCHEMA}.feature_history
    WHERE set_uid = next_sets.uid
      AND ${CHANGE} > CASE WHEN next_sets.uid = $2::uuid THEN $3::uuid ELSE '${FIRST_UID}' END
    ORDER BY ${CHANGE} FETCH FIRST ($4) ROWS WITH TIES) AS entry
  ORDER BY set_uid, change FETCH FIRST ($4) ROWS WITH TIES
), next AS (
  (SELECT set_uid, change FROM page WHERE (SELECT count(*) FROM page) >= $4 ORDER BY set_uid DESC, change DESC LIMIT 1)
  UNION ALL
  (SELECT uid, '${MAX}' FROM next_sets ORDER BY uid OFFSET $4 - 1)
  LIMIT 1
), cited AS (
  SELECT DISTINCT found.uid
  FROM page JOIN ${SCHEMA}.feature_history AS entry ON entry.uid = page.uid
  CROSS JOIN LATERAL (
    SELECT (one #>> '{}')::uuid AS uid
    FROM jsonb_path_query(
      jsonb_build_array(entry.before -> 'citations', entry.after -> 'citations', entry.said_by),
      '$[*][*] ? (@.projectUid == $project).episodeUid', jsonb_build_object('project', $1::uuid)) AS one) AS found
  WHERE found.uid = ANY(entry.episodes)
)
SELECT (SELECT coalesce(array_agg(uid::text), '{}') FROM cited) AS episodes, next.set_uid, next.change
FROM (VALUES (1)) AS one LEFT JOIN next ON true`,
  row: { episodes: 'text[]', set_uid: 'uuid?', change: 'uuid?' },
});
