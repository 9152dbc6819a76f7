import { type MemoryConfigurationUpdate } from '@loci/contracts';
import { entityManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { MemoryConfigurationEntity } from './memory-configuration.entity.js';

/** The one row. */
const ROW = { isOnly: true };

/** Where the changes to the memory configuration are kept. */
@Injectable()
export class MemoryConfigurationRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  changes(tx?: Transaction): Promise<MemoryConfigurationUpdate> {
    return tx ? readChanges(entityManager(tx)) : this.unitOfWork.single(readChanges);
  }

  async replace(changes: MemoryConfigurationUpdate, tx: Transaction): Promise<void> {
    const row = Object.assign(new MemoryConfigurationEntity(), { ...ROW, changes });
    await entityManager(tx).save(row);
  }
}

async function readChanges(manager: EntityManager): Promise<MemoryConfigurationUpdate> {
  const { changes } = await manager.findOneByOrFail(MemoryConfigurationEntity, ROW);
  return changes;
}
