import { type ConfigQuota } from '@loci/contracts';
import { SCHEMA } from '../database.js';

/** The rows that count; all tables have an index that begins with the organization. */
export const COUNTED: Readonly<Record<ConfigQuota, string>> = {
  projects: `${SCHEMA}.projects WHERE org_id IS NOT NULL`,
  keys: `${SCHEMA}.api_keys WHERE org_id IS NOT NULL AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > now())`,
  webhooks: `${SCHEMA}.webhooks WHERE org_id IS NOT NULL`,
};
