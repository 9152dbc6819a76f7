import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { expiresAt } from './expiry.js';
import { IS_LIVE } from './feature-conditions.js';

/** As `lastSaidOf`: when the last of the messages was said, or what a client wrote was stored. */
const SAID_AT = `(
  SELECT greatest(max(cited.created_at), CASE WHEN features.by_client OR count(*) = 0 THEN features.recorded_at END)
  FROM ${SCHEMA}.citations cited WHERE cited.set_uid = features.set_uid AND cited.feature_uid = features.uid)`;

/** When features expire, by what their categories say now; their vectors stay. Parameters: the sets, the category. */
export const EXPIRE_FEATURES = sql({
  name: 'expire_features',
  text: `UPDATE ${SCHEMA}.features SET expires_at = ${expiresAt('features', SAID_AT)}
         WHERE set_uid = ANY($1::uuid[]) AND category = $2 AND ${IS_LIVE}`,
});
