import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Searches show it. Parameter: the project. */
export const SUMMARY_TEXT = sql({
  name: 'summary_of_project',
  text: `SELECT text FROM ${SCHEMA}.summaries WHERE project_uid = $1`,
  row: { text: 'text' },
});
