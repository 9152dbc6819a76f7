import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Of `partitionOutbox`: sent messages go within minutes, a partition at a time. It answers how many were emptied. */
export const emptyOutbox = (schema: string) =>
  sql({ text: `SELECT ${qualified(schema, 'empty_outbox')}() AS emptied`, row: { emptied: 'int4' } });
