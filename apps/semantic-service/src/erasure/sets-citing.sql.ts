import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { ARE_GONE } from './gone-citations.js';

/** The sets with features that cite episodes. Parameters as of `ARE_GONE`. */
export const SETS_CITING = sql({
  text: `SELECT DISTINCT set_uid FROM ${SCHEMA}.citations WHERE ${ARE_GONE}`,
  row: { set_uid: 'uuid' },
});
