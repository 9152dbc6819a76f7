import { type MemoryConfigurationUpdate } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';

/** Where the changes to the memory configuration are kept. */
export abstract class MemoryConfigurationRepository {
  abstract changes(tx?: Transaction): Promise<MemoryConfigurationUpdate>;

  abstract replace(changes: MemoryConfigurationUpdate, tx: Transaction): Promise<void>;
}
