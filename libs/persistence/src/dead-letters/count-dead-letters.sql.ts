import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** From the index of the constraint alone: what a letter holds is not read. */
export const countDeadLetters = (schema: string) =>
  sql({
    text: `SELECT consumer, count(*)::int AS letters FROM ${qualified(schema, 'dead_letters')} GROUP BY consumer`,
    row: { consumer: 'text', letters: 'int4' },
  });
