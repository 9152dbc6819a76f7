import { type FactsOf } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: uids of projects. */
export const LEARNING_SETTINGS = sql({
  name: 'learning_settings',
  text: `SELECT uid, trusted_producers, facts_of FROM ${SCHEMA}.projects WHERE uid = ANY($1::uuid[])`,
  row: { uid: 'uuid', trusted_producers: 'text[]', facts_of: narrowed<FactsOf>('text') },
});
