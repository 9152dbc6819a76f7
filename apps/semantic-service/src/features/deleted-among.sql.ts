import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';

/** Those of some episodes that were deleted. Parameter: the uids. */
export const DELETED_AMONG = sql({
  name: 'deleted_among',
  text: `
SELECT uid, ${instantText('added_until')} AS added_until
FROM ${SCHEMA}.deleted_episodes WHERE uid = ANY($1::uuid[])`,
  row: { uid: 'uuid', added_until: narrowed<Instant>('text') },
});
