import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** What one takes of an answer beside its configuration: its error, too, whose text has at most so many characters. */
const BYTES_OF_ONE = 1_000;

/** How many bytes all resources have together as every service is told of them. */
export const SIZE_OF_RESOURCES = sql({
  text: `SELECT coalesce(sum(octet_length(config::text) + octet_length(name) + ${BYTES_OF_ONE}), 0)::float8 AS bytes
         FROM ${SCHEMA}.resources`,
  row: { bytes: 'float8' },
});
