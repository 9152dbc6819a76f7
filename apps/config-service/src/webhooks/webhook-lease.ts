import { LeaseSql } from '@loci/persistence';

/** One process at a time delivers to a webhook, so that its events come in their sequence. */
export const WEBHOOK_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'lease_token', kind: 'uuid' },
  unfinished: 'unfinished',
});
