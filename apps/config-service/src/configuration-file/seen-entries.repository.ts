import { type Transaction } from '@loci/persistence';

/** Digests by id of the entries of the file as we read or wrote them last: any other was written by somebody else. */
export type SeenEntries = ReadonlyMap<string, string>;

export abstract class SeenEntriesRepository {
  /** Lets one process at a time deal with the file until the transaction ends. */
  abstract lock(tx: Transaction): Promise<void>;

  abstract list(tx: Transaction): Promise<SeenEntries>;

  abstract replace(seen: SeenEntries, tx: Transaction): Promise<void>;
}
