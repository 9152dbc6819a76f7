import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Records that one page looks through, whichever of them fit its filters. */
export const LOOKED_THROUGH = 10_000;

/**
 * The oldest record that a page looks at, if there are older ones. Parameters, null = any: organization, project, not before
 * and older than these records.
 */
export const AUDIT_HORIZON = sql({
  text: `SELECT id FROM ${SCHEMA}.audit
         WHERE ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
           AND ($3::uuid IS NULL OR id >= $3) AND ($4::uuid IS NULL OR id < $4) AND ($5::uuid IS NULL OR id < $5)
         ORDER BY id DESC OFFSET ${LOOKED_THROUGH - 1} LIMIT 1`,
  row: { id: 'uuid' },
});
