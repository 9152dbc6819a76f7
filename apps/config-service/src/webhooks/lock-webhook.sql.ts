import { sql } from '@loci/persistence';
import { FIND_WEBHOOK } from './find-webhook.sql.js';

/** Until the end of the transaction nothing else changes it. Parameters: as `FIND_WEBHOOK`. */
export const LOCK_WEBHOOK = sql({ text: `${FIND_WEBHOOK.text} FOR UPDATE OF w`, row: FIND_WEBHOOK.row });
