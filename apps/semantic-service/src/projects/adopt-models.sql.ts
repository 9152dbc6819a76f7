import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: uid, reranker, revision. A newer choice stays. */
export const ADOPT_MODELS = sql({
  text: `UPDATE ${SCHEMA}.projects SET reranker = $2, models_revision = $3, changed_at = now()
         WHERE uid = $1 AND state = 'open' AND (models_revision IS NULL OR models_revision < $3)`,
});
