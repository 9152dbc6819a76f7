import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: uids of features. */
export const FORGET_PROPOSALS_OF = sql({
  name: 'forget_proposals_of',
  text: `DELETE FROM ${SCHEMA}.proposals WHERE feature_uids && $1::uuid[]`,
});
