import { entityManager, lockName, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { SeenEntryEntity } from './seen-entry.entity.js';

/** Digests by id of the entries of the file as we read or wrote them last: any other was written by others. */
export type SeenEntries = ReadonlyMap<string, string>;

@Injectable()
export class SeenEntriesRepository {
  /** Lets one process at a time deal with the file until the transaction ends. */
  lock(tx: Transaction): Promise<void> {
    return lockName(entityManager(tx), `${SCHEMA}.configuration_file_entries`);
  }

  async list(tx: Transaction): Promise<SeenEntries> {
    const entries = await entityManager(tx).find(SeenEntryEntity);
    return new Map(entries.map(({ path, digest }) => [path, digest]));
  }

  async replace(seen: SeenEntries, tx: Transaction): Promise<void> {
    const manager = entityManager(tx);
    await manager.deleteAll(SeenEntryEntity);
    await manager.insert(
      SeenEntryEntity,
      [...seen].map(([path, digest]) => ({ path, digest })),
    );
  }
}
