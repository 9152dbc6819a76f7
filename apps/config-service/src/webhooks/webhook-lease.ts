import { LeaseSql } from '@loci/persistence';
import { MAX_UNFINISHED } from '@loci/platform';

/** One process at a time delivers to a webhook, so that its events come in their sequence. */
export const WEBHOOK_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'lease_token', kind: 'uuid' },
  unfinished: 'unfinished',
});

/** Condition: the next delivery that ends its process is the last one, so that no other may be the cause. */
export const IS_LAST_TRY = `(unfinished = ${MAX_UNFINISHED - 1})`;
