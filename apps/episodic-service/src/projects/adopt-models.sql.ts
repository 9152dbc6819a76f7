import { sql } from '@loci/persistence';
import { exclusiveProjectLock, SCHEMA } from '../database.js';

/** Parameters: uid, embedder, reranker, revision. A newer choice stays. */
export const ADOPT_MODELS = sql({
  text: `WITH queued AS MATERIALIZED (SELECT ${exclusiveProjectLock('$1')})
         UPDATE ${SCHEMA}.projects SET embedder = $2, reranker = $3, models_revision = $4, changed_at = now()
         FROM queued WHERE uid = $1::uuid AND state = 'open' AND models_revision < $4`,
});
