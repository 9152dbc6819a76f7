import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { API_KEY_COLUMNS, API_KEY_ROW } from './api-key-rows.js';

const API_KEYS = `${SCHEMA}.api_keys`;

/** Every request without a cached key begins with it. Parameter: digests of secrets. */
export const FIND_VALID_KEYS = sql({
  text: `SELECT * FROM (
           SELECT ${API_KEY_COLUMNS}, asked, expires_at AS "validUntil", false AS "isFormer"
           FROM unnest($1::text[]) AS asked JOIN ${API_KEYS} ON digest = asked
           WHERE revoked_at IS NULL
           UNION ALL
           SELECT ${API_KEY_COLUMNS}, asked, least(expires_at, former_expires_at), true
           FROM unnest($1::text[]) AS asked JOIN ${API_KEYS} ON former_digest = asked
           WHERE revoked_at IS NULL) AS found
         WHERE "validUntil" IS NULL OR "validUntil" > now()`,
  row: { ...API_KEY_ROW, asked: 'text', validUntil: 'timestamptz?', isFormer: 'bool' },
});
