import { type MemoryConfigurationUpdate } from '@loci/contracts';
import { entityManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLE = `${SCHEMA}.memory_configuration`;

/** Where the changes to the memory configuration are kept. */
@Injectable()
export class MemoryConfigurationRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  changes(tx?: Transaction): Promise<MemoryConfigurationUpdate> {
    return tx ? readChanges(entityManager(tx)) : this.unitOfWork.single(readChanges);
  }

  async replace(changes: MemoryConfigurationUpdate, tx: Transaction): Promise<void> {
    await entityManager(tx).query(`UPDATE ${TABLE} SET changes = $1`, [JSON.stringify(changes)]);
  }
}

async function readChanges(manager: EntityManager): Promise<MemoryConfigurationUpdate> {
  const [row] = await manager.query<{ changes: MemoryConfigurationUpdate }[]>(`SELECT changes FROM ${TABLE}`);
  return row?.changes ?? {};
}
