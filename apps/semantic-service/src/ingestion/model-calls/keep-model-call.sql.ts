import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * Stores a call, unless its project keeps none or something that it shows is gone: a message, or a feature. Beyond what a
 * project may keep, its oldest calls go; failures are a tenth of them at most, so that an outage displaces no call that made
 * something. Its project and its set are locked. Parameters: uid, set, organization, project, kind,
 * categories, model, code, reason, replies, tokens read and written, cost, milliseconds; the messages that it learns from;
 * the uids of all messages that it shows and when these were added; the features that it shows; prompt, reply, whether they are
 * cut; when it began; how many calls are kept.
 */
export const KEEP_MODEL_CALL = sql({
  name: 'keep_model_call',
  text: `
WITH kept AS (
  INSERT INTO ${SCHEMA}.model_calls
    (uid, set_uid, org_id, project_uid, kind, categories, model, code, reason, replies, input_tokens, output_tokens, cost,
     duration_ms, read_uids, episode_uids, feature_uids, prompt, reply, is_cut, begun_at, expires_at)
  SELECT $1::uuid, $2::uuid, $3::text, project.uid, $5::text, $6::text[], $7::text, $8::text, $9::text, $10::int, $11::int,
         $12::int, $13::numeric, $14::int, $15::uuid[],
         ARRAY(SELECT uid FROM unnest($16::uuid[]) AS shown(uid)
               UNION SELECT episode_uid FROM ${SCHEMA}.citations WHERE set_uid = $2::uuid AND feature_uid = ANY($18::uuid[])),
         $18::uuid[], CASE WHEN project.keep_call_texts THEN $19::jsonb END,
         CASE WHEN project.keep_call_texts THEN $20::text END, $21::boolean AND project.keep_call_texts, $22::timestamptz,
         $22::timestamptz + make_interval(days => project.keep_calls_days)
  FROM ${SCHEMA}.projects AS project
  WHERE project.uid = $4::uuid AND project.state = 'open' AND project.keep_calls_days > 0
    AND NOT EXISTS (
      SELECT FROM unnest($16::uuid[], $17::timestamptz[]) AS shown(uid, added_at)
      JOIN ${SCHEMA}.deleted_episodes AS deleted ON deleted.uid = shown.uid
      WHERE shown.added_at IS NULL OR shown.added_at <= deleted.added_until)
    AND (SELECT count(*) FROM ${SCHEMA}.features WHERE set_uid = $2::uuid AND uid = ANY($18::uuid[]) AND deleted_at IS NULL)
      = cardinality($18::uuid[])
  RETURNING project_uid
)
DELETE FROM ${SCHEMA}.model_calls AS old USING kept
WHERE old.uid IN (
  (SELECT uid FROM ${SCHEMA}.model_calls AS one WHERE one.project_uid = $4::uuid
   ORDER BY one.uid DESC OFFSET greatest($23::int - 1, 0) LIMIT 20)
  UNION ALL
  (SELECT uid FROM ${SCHEMA}.model_calls AS one
   WHERE one.project_uid = $4::uuid AND one.code IS NOT NULL AND $8::text IS NOT NULL
   ORDER BY one.uid DESC OFFSET ceil($23::int / 10.0)::int - 1 LIMIT 20))`,
});
