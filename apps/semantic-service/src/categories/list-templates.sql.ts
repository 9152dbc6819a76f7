import { boundedRow, mostRows, sql, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** What JSON adds to the name of one. */
const BYTES_OF_ONE = 160;

/** Their names, oldest first: a prompt may be 800 kB. Parameters: the type of sets, the bytes. */
export const LIST_TEMPLATES = sql({
  text: withinBytes({
    page: `SELECT uid, name, created_at FROM ${SCHEMA}.categories WHERE set_type_uid = $1
           ORDER BY created_at, uid LIMIT ${mostRows(BYTES_OF_ONE)}`,
    columns: 'uid, name',
    bytes: `octet_length(name) + ${BYTES_OF_ONE}`,
    order: 'created_at, uid',
    maxBytes: '$2',
  }),
  row: boundedRow({ uid: 'uuid', name: 'text' }),
});
