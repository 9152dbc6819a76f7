import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Has kept calls fit what their project keeps now. Parameters: the project, days, whether with texts. */
export const RECONSIDER_MODEL_CALLS = sql({
  text: `UPDATE ${SCHEMA}.model_calls
         SET expires_at = begun_at + make_interval(days => $2::int),
             prompt = CASE WHEN $3::boolean THEN prompt END, reply = CASE WHEN $3::boolean THEN reply END
         WHERE project_uid = $1`,
});
