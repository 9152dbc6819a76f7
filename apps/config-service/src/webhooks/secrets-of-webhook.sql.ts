import { sql } from '@loci/persistence';
import { WEBHOOKS } from './webhook-rows.js';

/** Those that are valid, encrypted. Parameter: the webhook. */
export const SECRETS_OF_WEBHOOK = sql({
  text: `SELECT secret, CASE WHEN former_expires_at > now() THEN former_secret END AS former_secret
         FROM ${WEBHOOKS} WHERE id = $1`,
  row: { secret: 'text', former_secret: 'text?' },
});
