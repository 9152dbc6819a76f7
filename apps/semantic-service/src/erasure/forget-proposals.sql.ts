import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Forgets proposals that were drawn from episodes. Parameter: their uids. */
export const FORGET_PROPOSALS = sql({
  text: `DELETE FROM ${SCHEMA}.proposals WHERE episode_uids && $1::uuid[]`,
});
