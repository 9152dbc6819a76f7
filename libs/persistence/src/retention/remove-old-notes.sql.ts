import { removeBatch } from './expired-rows.js';
import { sql } from '../statements/sql-statement.js';

/** Of messages that never came again, because their stream was lost: no event is kept so long. */
export const removeOldNotes = (schema: string) =>
  sql({
    text: removeBatch(schema, 'unfinished_deliveries', `noted_at < now() - interval '30 days'`),
    row: { count: 'int4' },
  });
