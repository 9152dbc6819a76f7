import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the call, what it made as JSON, the uids of these features. */
export const NOTE_MADE_FEATURES = sql({
  name: 'note_made_features',
  text: `UPDATE ${SCHEMA}.model_calls SET made = made || $2::jsonb, feature_uids = feature_uids || $3::uuid[]
         WHERE uid = $1`,
});
