import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Citation } from '../features/feature.js';

/** The open one that asks for the same. Parameters: set, category, command, tag, name, value, project of the source,
 * subject. */
export const SAME_PROPOSAL = sql({
  text: `SELECT uid, citations FROM ${SCHEMA}.proposals
         WHERE set_uid = $1 AND md5(category) = md5($2) AND command = $3 AND md5(tag) = md5($4)
           AND md5(name) = md5($5) AND md5(value) = md5($6) AND source_project_uid IS NOT DISTINCT FROM $7::uuid
           AND subject IS NOT DISTINCT FROM $8::text`,
  row: { uid: 'uuid', citations: narrowed<readonly Citation[]>('jsonb') },
});
