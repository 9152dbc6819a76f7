import { sql } from '@loci/persistence';
import { WEBHOOK_LEASE } from './webhook-lease.js';
import { WEBHOOKS } from './webhook-rows.js';

/** Disables those whose deliveries ended their process so often that none may begin. Parameter: why. */
export const DISABLE_SET_ASIDE = sql({
  text: `UPDATE ${WEBHOOKS} SET is_enabled = false, disabled_reason = $1
         WHERE is_enabled AND ${WEBHOOK_LEASE.isSetAside} RETURNING id, org_id, project_uid`,
  row: { id: 'uuid', org_id: 'text?', project_uid: 'uuid?' },
});
