import { MAX_ANSWER_BYTES } from '@loci/contracts';
import { boundedRow, sql, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** What JSON adds to the name of one. */
const BYTES_OF_ONE = 160;

/** With one more, the answer is too large whatever the names are. */
const MOST = Math.ceil(MAX_ANSWER_BYTES / BYTES_OF_ONE);

/** Their names, oldest first: a prompt may be 800 kB. Parameters: the type of sets, the bytes. */
export const LIST_TEMPLATES = sql({
  text: withinBytes({
    page: `SELECT uid, name, created_at FROM ${SCHEMA}.categories WHERE set_type_uid = $1
           ORDER BY created_at, uid LIMIT ${MOST}`,
    columns: 'uid, name',
    bytes: `octet_length(name) + ${BYTES_OF_ONE}`,
    order: 'created_at, uid',
    maxBytes: '$2',
  }),
  row: boundedRow({ uid: 'uuid', name: 'text' }),
});
