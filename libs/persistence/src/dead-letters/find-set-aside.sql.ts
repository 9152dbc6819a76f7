import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** What ended its process too often. Parameter: names of consumers. */
export const findSetAside = (schema: string) =>
  sql({
    text: `SELECT fingerprint, payload FROM ${qualified(schema, 'dead_letters')}
           WHERE consumer = ANY($1::text[]) AND fingerprint IS NOT NULL`,
    row: { fingerprint: 'text?', payload: 'text' },
  });
