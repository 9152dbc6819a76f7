import { type ConfigQuota } from '@loci/contracts';
import { sql } from '@loci/persistence';
import { COUNTED } from './counted-rows.js';

/** Parameter: the organization. */
export const countUsed = (name: ConfigQuota) =>
  sql({ text: `SELECT count(*)::int AS used FROM ${COUNTED[name]} AND org_id = $1`, row: { used: 'int4' } });
