import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the set and the uid of the call, what it made as JSON, the uids of these features. */
export const NOTE_MADE_FEATURES = sql({
  name: 'note_made_features',
  text: `UPDATE ${SCHEMA}.model_calls SET made = made || $3::jsonb, feature_uids = feature_uids || $4::uuid[]
         WHERE set_uid = $1 AND uid = $2`,
});
