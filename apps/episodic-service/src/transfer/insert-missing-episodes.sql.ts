import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Stores episodes that the project has neither under their uid nor under their source uid. Parameters: the project, the
 * episodes as JSON, whether it has short-term memory, and long-term memory, the author, the
 * seconds that episodes of the project live (0 = for ever). It answers what was stored.
 */
export const INSERT_MISSING_EPISODES = sql({
  text: `WITH added AS (
           INSERT INTO ${SCHEMA}.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id,
                                           metadata, created_at, in_short_term, in_long_term, is_semantic, ingested,
                                           author, is_bound, expires_at, conversation)
           SELECT given.uid, $1::uuid, given.content, given.producer_id, given.producer_role, given.produced_for_id,
                  given.metadata, coalesce(given.created_at, now()),
                  types ? 'episodic' AND $3, types ? 'episodic' AND $4, types ? 'semantic',
                  given.ingested, $5, given.is_bound,
                  least(given.expires_at, now() + make_interval(secs => nullif($6::int, 0))), given.conversation
           FROM json_to_recordset($2::json) AS given(
             uid uuid, source_uid uuid, content text, producer_id text, producer_role text, produced_for_id text,
             metadata jsonb, created_at timestamptz, types jsonb, ingested jsonb, expires_at timestamptz,
             conversation uuid, is_bound bool)
           WHERE NOT EXISTS (
             SELECT FROM ${SCHEMA}.episodes AS known
             WHERE known.uid = given.source_uid AND known.project_uid = $1::uuid)
           ORDER BY given.uid
           ON CONFLICT (project_uid, uid) DO NOTHING
           RETURNING uid)
         SELECT uid FROM added`,
  row: { uid: 'uuid' },
});
