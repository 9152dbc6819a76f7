import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { isRelearning } from '../backlog/relearning-position.sql.js';
import { type Position } from './claim-cursor.sql.js';

const CURSORS = `${SCHEMA}.ingestion_cursors`;

/** Before the uid of a project, the name of the position behind which rows of it were left while it was learned again. */
export const LEFT = 'left:';

const LEFT_PROJECT = `substr(noted.name, ${LEFT.length + 1})`;

const inSequence = (position: string): string =>
  `(${position}[1]::timestamptz, ${position}[2]::uuid, ${position}[3]::uuid)`;

/**
 * Sets a cursor back to where rows of a project were left that is not being learned again any more. What was removed behind
 * it is not there to be read twice. One statement: a process that ends in it loses no position. It answers where the cursor is then, if it was set back.
 * Parameter: the cursor.
 */
export const RETURN_TO_LEFT = sql({
  name: 'ingestion_return_to_left',
  text: `
WITH over AS (
  DELETE FROM ${CURSORS} AS noted WHERE name LIKE '${LEFT}%' AND NOT ${isRelearning(LEFT_PROJECT)}
  RETURNING position
), first AS (
  SELECT position FROM over ORDER BY ${inSequence('position')} LIMIT 1
)
UPDATE ${CURSORS} AS cursor SET position = first.position, next_at = now() FROM first
WHERE cursor.name = $1 AND ${inSequence('cursor.position')} > ${inSequence('first.position')}
RETURNING cursor.position`,
  row: { position: narrowed<Position | null>('text[]?') },
});
