import { boundedRow, mostRows, sql, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** What JSON adds to the names of one. */
const BYTES_OF_ONE = 32;

/** Those that exist for their users, by organization, then name. Parameters: organization and project (null = any), the bytes. */
export const LIST_PROJECTS = sql({
  text: withinBytes({
    page: `SELECT uid, org_id, project_id FROM ${SCHEMA}.projects
           WHERE deleted_at IS NULL AND ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
           ORDER BY org_id, project_id LIMIT ${mostRows(BYTES_OF_ONE)}`,
    columns: 'uid, org_id, project_id',
    bytes: `octet_length(org_id) + octet_length(project_id) + ${BYTES_OF_ONE}`,
    order: 'org_id, project_id',
    maxBytes: '$3',
  }),
  row: boundedRow({ uid: 'uuid', org_id: 'text', project_id: 'text' }),
});
