import { fieldIs, type Filter, type FilterField } from '@loci/contracts';
import { boundProducer } from '@loci/platform';

const PRODUCER: FilterField = { kind: 'system', name: 'producer_id' };

/**
 * What the author of the request may delete of what matches: a key that is bound to a producer, what that one said. It is
 * part of the filter, because a worker deletes that knows no author.
 */
export function ownOf(filter: Filter): Filter {
  const producer = boundProducer();
  return producer === undefined ? filter : { op: 'and', args: [filter, fieldIs(PRODUCER, producer)] };
}
