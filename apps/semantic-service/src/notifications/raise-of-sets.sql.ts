import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Puts notifications about sets into the outbox, with the public ids of their sets; of a set that is gone, none.
 * Parameters: the subject, the headers, the notifications as JSON, each with the uid of its set.
 */
export const RAISE_OF_SETS = sql({
  name: 'raise_of_sets',
  text: `INSERT INTO ${SCHEMA}.outbox (id, subject, payload, headers)
         SELECT (raised->>'id')::uuid, $1::text,
                (raised - 'setUid') || jsonb_build_object('data', (raised->'data') || jsonb_build_object('set_id', sets.id)),
                $2::jsonb
         FROM jsonb_array_elements($3::jsonb) AS raised
         JOIN ${SCHEMA}.sets ON sets.uid = (raised->>'setUid')::uuid`,
});
