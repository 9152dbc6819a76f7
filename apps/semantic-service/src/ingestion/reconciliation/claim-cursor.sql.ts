import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Texts that name a position in a sequence. */
export type Position = readonly string[];

/** Takes the next step if it is time for it. Parameters: the cursor, ms until another replica may take it. */
export const CLAIM_CURSOR = sql({
  text: `INSERT INTO ${SCHEMA}.ingestion_cursors AS cursor (name, next_at)
         VALUES ($1, now() + $2::float8 * interval '1 ms')
         ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE cursor.next_at <= now()
         RETURNING position`,
  row: { position: narrowed<Position | null>('text[]?') },
});
