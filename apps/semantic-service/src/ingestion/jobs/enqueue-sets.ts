import { ingestSet } from '@loci/contracts';
import { type Outbox, type Transaction } from '@loci/persistence';

/** Work on each of the sets, enqueued with the transaction. Waking the outbox after it has it sent at once. */
export const enqueueSets = (outbox: Outbox, setUids: readonly string[], tx: Transaction): Promise<void> =>
  outbox.appendAll(
    tx,
    ingestSet,
    setUids.map((setUid) => ({ setUid })),
  );
