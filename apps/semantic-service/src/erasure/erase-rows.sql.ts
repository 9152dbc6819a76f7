import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Rows of a project: their table, its key, and the column that names the project. */
export interface ProjectRows {
  readonly table: string;
  readonly key: string;
  readonly owner?: string;
}

/** With what hangs on them. Parameters: the project, how many at most. */
export const eraseRows = ({ table, key, owner = 'project_uid' }: ProjectRows) =>
  sql({
    text: `WITH erased AS (
           DELETE FROM ${SCHEMA}.${table} WHERE (${key}) IN (
             SELECT ${key} FROM ${SCHEMA}.${table} WHERE ${owner} = $1 LIMIT $2) RETURNING 1)
         SELECT count(*)::int AS erased FROM erased`,
    row: { erased: 'int4' },
  });
