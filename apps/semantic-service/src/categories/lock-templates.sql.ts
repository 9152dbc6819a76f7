import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** The names of all, as many as the quota allows; nothing else changes them until the transaction ends. Parameter: the type of sets. */
export const LOCK_TEMPLATES = sql({
  text: `SELECT uid, name FROM ${SCHEMA}.categories WHERE set_type_uid = $1 ORDER BY created_at, uid FOR UPDATE`,
  row: { uid: 'uuid', name: 'text' },
});
