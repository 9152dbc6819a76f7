import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Keeps open projects from being closed. Parameter: uids. It answers those that are open. */
export const HOLD_PROJECTS = sql({
  name: 'hold_projects',
  text: `SELECT uid FROM ${SCHEMA}.projects WHERE uid = ANY($1::uuid[]) AND state = 'open' ORDER BY uid FOR SHARE`,
  row: { uid: 'uuid' },
});
