import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the uid, whether it is pinned. Nothing that is embedded changes. */
export const PIN_FEATURE = sql({
  name: 'pin_feature',
  text: `UPDATE ${SCHEMA}.features SET is_pinned = $2 WHERE uid = $1`,
});
