import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the set, the uid, whether it is pinned. Nothing that is embedded changes. */
export const PIN_FEATURE = sql({
  name: 'pin_feature',
  text: `UPDATE ${SCHEMA}.features SET is_pinned = $3, is_pin_by_client = true WHERE set_uid = $1 AND uid = $2`,
});
